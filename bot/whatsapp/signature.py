"""Is a webhook body from Meta? HMAC-SHA256 of the raw bytes with the app secret (`X-Hub-Signature-256`)."""

import hmac
import re
from collections.abc import Sequence

# Meta writes lower-case hex; anything else is not from Meta.
_HEADER = re.compile(rb"sha256=[0-9a-f]{64}")


def sign(secret: str, body: bytes) -> str:
    """The header value for `body`."""
    key = secret.encode(errors="surrogateescape")
    return f"sha256={hmac.digest(key, body, 'sha256').hex()}"


def valid(secrets: Sequence[str], body: bytes, header: bytes | None) -> bool:
    """Was `body` signed with one of `secrets` (old and new while rotating)? Never raises; no secret = never valid."""
    if header is None or not _HEADER.fullmatch(header):
        return False
    matches = [hmac.compare_digest(sign(secret, body).encode(), header) for secret in secrets if secret]
    return any(matches)
