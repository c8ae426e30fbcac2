"""The settings of the contract, read once at the door. A wrong one stops the start in one line, without its value."""

from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot import zonedata
from bot.core.quiet import Quiet

TAKES = MappingProxyType(
    {
        "reminder_scan_interval_seconds": "a whole number from 1 to 3600",
        "send_rate_per_second": "a whole number from 1 to 1000",
        "send_timeout_seconds": "a number of seconds from 1 to 120",
        "unknown_outcome_wait_seconds": "a number of seconds from 0 to 3600",
        "quiet_hours": "HH:MM-HH:MM, as 21:00-08:00, or nothing for none",
        "port": "a port number from 0 to 65535",
        "log_format": "console or json",
        "log_level": "DEBUG, INFO, WARNING or ERROR",
        "business_file": "the path of a TOML file",
        "whatsapp_graph_url": "an address that begins with http:// or https://",
    }
)
REQUIRED = (
    "whatsapp_app_secret",
    "whatsapp_verify_token",
    "whatsapp_access_token",
    "whatsapp_phone_number_id",
    "whatsapp_business_account_id",
)
"""What a process that talks to WhatsApp cannot do without."""


class SettingsError(ValueError):
    """One line for the operator: which setting, and what it takes."""


class LogFormat(StrEnum):
    """How log lines are written."""

    CONSOLE = "console"
    JSON = "json"


class LogLevel(StrEnum):
    """The least that is logged."""

    DEBUG = "DEBUG"
    INFO = "INFO"
    WARNING = "WARNING"
    ERROR = "ERROR"


class Settings(BaseSettings):
    """One field per name of the contract, in lower case."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", frozen=True)

    whatsapp_app_secret: SecretStr = SecretStr("")
    whatsapp_verify_token: SecretStr = SecretStr("")
    whatsapp_access_token: SecretStr = SecretStr("")
    whatsapp_phone_number_id: str = ""
    whatsapp_business_account_id: str = ""
    whatsapp_graph_url: str = Field(default="https://graph.facebook.com", pattern=r"^https?://\S+$")
    whatsapp_graph_version: str = "v27.0"
    database_url: SecretStr = SecretStr("sqlite+aiosqlite:///bot.db")
    business_file: Path | None = None
    redis_url: SecretStr = SecretStr("")
    reminder_scan_interval_seconds: int = Field(default=300, ge=1, le=3600)
    send_rate_per_second: int = Field(default=80, ge=1, le=1000)
    send_timeout_seconds: float = Field(default=20, ge=1, le=120)
    unknown_outcome_wait_seconds: float = Field(default=120, ge=0, le=3600)
    quiet_hours: Annotated[Quiet | None, NoDecode] = Quiet.parse("21:00-08:00")
    console_password: SecretStr = SecretStr("")
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    log_format: LogFormat | None = None
    log_level: LogLevel = LogLevel.INFO

    @field_validator("quiet_hours", mode="before")
    @classmethod
    def _quiet(cls, value: object) -> object:
        return Quiet.parse(value) if isinstance(value, str) else value

    @field_validator("business_file", "log_format", mode="before")
    @classmethod
    def _absent(cls, value: object) -> object:
        return value or None

    @field_validator("log_level", mode="before")
    @classmethod
    def _level(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @property
    def app_secrets(self) -> tuple[str, ...]:
        """The secrets a webhook may be signed with: several while one is being changed."""
        return tuple(part.strip() for part in self.whatsapp_app_secret.get_secret_value().split(",") if part.strip())


def load(**overrides: object) -> Settings:
    """From the environment and `.env`; SettingsError in one line when a value is wrong.

    Every entry point comes by here first, so zones are made by the newest rules at hand.
    """
    zonedata.prefer_newer()
    try:
        return Settings(**overrides)  # type: ignore[arg-type]  # tests and the demo pass plain values
    except ValidationError as error:
        name = str(error.errors(include_input=False)[0]["loc"][0])
        raise SettingsError(f"{name.upper()} takes {TAKES.get(name, 'a text')}") from None
    except UnicodeDecodeError:
        raise SettingsError(".env cannot be read: it is not UTF-8 text") from None


def require(settings: Settings, *names: str) -> None:
    """SettingsError naming the settings that are missing."""
    missing = [name.upper() for name in names if not _given(getattr(settings, name))]
    if "whatsapp_app_secret" in names and not settings.app_secrets and "WHATSAPP_APP_SECRET" not in missing:
        missing.insert(0, "WHATSAPP_APP_SECRET")
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise SettingsError(f"{', '.join(missing)} {verb} not set: give it in the environment or in .env")


def _given(value: object) -> bool:
    return bool(value.get_secret_value().strip() if isinstance(value, SecretStr) else value)
