"""The settings of the contract: read once, refused in one line, their values never shown."""

from pathlib import Path

import pytest

from bot.core.quiet import Quiet
from bot.settings import REQUIRED, TAKES, LogFormat, LogLevel, Settings, SettingsError, load, require


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of the machine, no `.env` of the folder."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


def test_the_defaults_are_the_contract_s() -> None:
    settings = load()
    assert settings.database_url.get_secret_value() == "sqlite+aiosqlite:///bot.db"
    assert (settings.host, settings.port, settings.redis_url.get_secret_value()) == ("127.0.0.1", 8000, "")
    assert (settings.whatsapp_graph_url, settings.whatsapp_graph_version) == ("https://graph.facebook.com", "v27.0")
    assert (settings.reminder_scan_interval_seconds, settings.send_rate_per_second) == (300, 80)
    assert (settings.send_timeout_seconds, settings.unknown_outcome_wait_seconds) == (20, 120)
    assert settings.quiet_hours == Quiet.parse("21:00-08:00")
    assert (settings.log_format, settings.log_level, settings.business_file) == (None, LogLevel.INFO, None)
    assert settings.app_secrets == ()


def test_the_environment_wins_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("PORT=9000\nHOST=0.0.0.0\nQUIET_HOURS=\nSOMETHING_ELSE=1\nBUSINESS_FILE=\n", "utf-8")
    monkeypatch.setenv("PORT", "9001")
    settings = load()
    assert (settings.port, settings.host, settings.quiet_hours) == (9001, "0.0.0.0", None)  # noqa: S104
    assert load(_env_file=None).host == "127.0.0.1"


def test_several_secrets_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHATSAPP_APP_SECRET", " one, two ,,")
    assert load().app_secrets == ("one", "two")


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [("LOG_LEVEL", "debug", LogLevel.DEBUG), ("LOG_FORMAT", "json", LogFormat.JSON), ("LOG_FORMAT", "", None)],
)
def test_words_are_read_kindly(monkeypatch: pytest.MonkeyPatch, name: str, value: str, read: object) -> None:
    monkeypatch.setenv(name, value)
    assert getattr(load(), name.lower()) == read


WRONG = [
    ("REMINDER_SCAN_INTERVAL_SECONDS", "0"),
    ("REMINDER_SCAN_INTERVAL_SECONDS", "3601"),
    ("REMINDER_SCAN_INTERVAL_SECONDS", "sekret"),
    ("SEND_RATE_PER_SECOND", "0"),
    ("SEND_TIMEOUT_SECONDS", "sekret"),
    ("UNKNOWN_OUTCOME_WAIT_SECONDS", "-1"),
    ("QUIET_HOURS", "sekret"),
    ("QUIET_HOURS", "25:00-08:00"),
    ("PORT", "65536"),
    ("LOG_FORMAT", "xml"),
    ("LOG_LEVEL", "LOUD"),
    ("WHATSAPP_GRAPH_URL", "sekret"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_is_one_line_without_the_value(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load()
    line = str(caught.value)
    assert line == f"{name} takes {TAKES[name.lower()]}"
    assert "sekret" not in line
    assert caught.value.__cause__ is None


def test_every_refusable_setting_says_what_it_takes() -> None:
    constrained = {name for name, _ in WRONG}
    assert {name.upper() for name in TAKES} - constrained == {"BUSINESS_FILE"}


@pytest.mark.parametrize("missing", [*REQUIRED, "redis_url"])
def test_what_is_missing_is_named(missing: str) -> None:
    given = {name: "x" for name in (*REQUIRED, "redis_url") if name != missing}
    with pytest.raises(SettingsError, match=f"^{missing.upper()} is not set"):
        require(load(**given), *REQUIRED, "redis_url")


def test_all_that_is_missing_is_named_at_once() -> None:
    with pytest.raises(SettingsError, match=r"^WHATSAPP_APP_SECRET, WHATSAPP_VERIFY_TOKEN, .* are not set"):
        require(load(), *REQUIRED)
    require(load())


@pytest.mark.parametrize("blank", [" ", ",", " , "])
def test_a_secret_of_blanks_is_no_secret(blank: str) -> None:
    given = dict.fromkeys(REQUIRED, "x") | {"whatsapp_app_secret": blank}
    with pytest.raises(SettingsError, match=r"^WHATSAPP_APP_SECRET is not set"):
        require(load(**given), *REQUIRED)


def test_no_secret_shows_when_settings_are_printed() -> None:
    secrets = ("whatsapp_app_secret", "whatsapp_verify_token", "whatsapp_access_token", "database_url", "redis_url")
    settings = load(**dict.fromkeys((*secrets, "console_password"), "sekret"))
    assert "sekret" not in repr(settings)
    assert "sekret" not in str(settings)


def test_a_file_that_is_no_text_is_one_line() -> None:
    Path(".env").write_bytes(b"\xff\xfePORT=1")
    with pytest.raises(SettingsError, match=r"^\.env cannot be read: it is not UTF-8 text$"):
        load()
