"""How Meta says no: error answers in the Graph API's words (developers.facebook.com, WhatsApp error codes)."""

from collections.abc import Mapping
from dataclasses import dataclass

TITLES: Mapping[int, str] = {
    1: "API Unknown",
    2: "API Service",
    4: "API Too Many Calls",
    100: "Invalid parameter",
    190: "Access token has expired",
    368: "Temporarily blocked for policies violations",
    80007: "Rate limit issues",
    130429: "Rate limit hit",
    131000: "Something went wrong",
    131005: "Access denied",
    131008: "Required parameter is missing",
    131009: "Parameter value is not valid",
    131016: "Service unavailable",
    131026: "Message undeliverable",
    131042: "Business eligibility payment issue",
    131047: "Re-engagement message",
    131048: "Spam rate limit hit",
    131051: "Unsupported message type",
    131056: "(Business Account, Consumer Account) pair rate limit hit",
    131057: "Account in maintenance mode",
    132000: "Number of parameters does not match the expected number of params",
    132001: "Template name does not exist in the translation",
    132005: "Translated text too long",
    132012: "Parameter format does not match format in the created template",
    132015: "Template is paused",
    132016: "Template is disabled",
    132018: "Template parameter validation failed",
}

# Third parties report these; Meta promises none of them, so a sender must go by the code alone.
_HTTP_STATUS: Mapping[int, int] = {1: 500, 2: 503, 190: 401, 131005: 403, 131016: 503, 131000: 500, 132001: 404}


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRefusal:
    """One refusal: Meta's code and what exactly was wrong."""

    code: int
    details: str

    @property
    def title(self) -> str:
        return TITLES.get(self.code, "Something went wrong")

    @property
    def http_status(self) -> int:
        return _HTTP_STATUS.get(self.code, 400)

    def answer(self) -> dict[str, object]:
        """The body of the HTTP answer."""
        return {
            "error": {
                "message": f"(#{self.code}) {self.title}",
                "type": "OAuthException",
                "code": self.code,
                "error_data": {"messaging_product": "whatsapp", "details": self.details},
                "fbtrace_id": "SIMULATED",
            }
        }

    def receipt_error(self) -> dict[str, object]:
        """The item of `errors[]` in a `failed` receipt."""
        return {
            "code": self.code,
            "title": self.title,
            "message": self.title,
            "error_data": {"details": self.details},
            "href": "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
        }


class RefusedError(Exception):
    """Carries a refusal out of the checks."""

    def __init__(self, code: int, details: str) -> None:
        super().__init__(details)
        self.refusal = GraphRefusal(code=code, details=details)


def length(text: str) -> int:
    """In UTF-16 units: Meta does not say what it counts, and this is the strictest that is likely."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def an_object(value: object, path: str) -> Mapping[str, object]:
    """A JSON object that must be there."""
    if value is None:
        raise RefusedError(131008, f"The parameter {path} is required.")
    if not isinstance(value, dict):
        raise RefusedError(100, f"The parameter {path} must be an object.")
    return value


def a_list(value: object, path: str, *, least: int, most: int) -> list[object]:
    """A JSON array of `least` to `most` items."""
    if value is None:
        raise RefusedError(131008, f"The parameter {path} is required.")
    if not isinstance(value, list):
        raise RefusedError(100, f"The parameter {path} must be an array.")
    if not least <= len(value) <= most:
        raise RefusedError(131009, f"{path}: {len(value)} items. Min: {least}, Max: {most}")
    return value


def a_text(value: object, path: str, *, most: int, code: int = 131009) -> str:
    """A text of 1 to `most` characters that is not only spaces."""
    if value is None:
        raise RefusedError(131008, f"The parameter {path} is required.")
    if not isinstance(value, str):
        raise RefusedError(100, f"The parameter {path} must be a string.")
    if not value.strip():
        raise RefusedError(code, f"{path} must not be empty. Min length: 1, Max length: {most}")
    if length(value) > most:
        raise RefusedError(code, f"{path} length invalid: {length(value)}. Min length: 1, Max length: {most}")
    return value


def an_id(value: object, path: str, *, most: int) -> str:
    """An id of ours: a text without outer spaces."""
    text = a_text(value, path, most=most)
    if text != text.strip():
        raise RefusedError(131009, f"{path} must not begin or end with a space.")
    return text


def all_different(values: list[str], path: str) -> None:
    """No value twice."""
    for value in values:
        if values.count(value) > 1:
            raise RefusedError(131009, f"Duplicated {path}: {value!r}")
