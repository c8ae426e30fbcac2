"""Keeps other web pages out of the demo: only its own page, over loopback, may look and act."""

from urllib.parse import urlsplit

from starlette.requests import Request

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def welcome(request: Request) -> bool:
    """Is this request for a loopback name (no DNS rebinding) and, if from a page, from our own (no cross-site post)?"""
    host = request.headers.get("host", "")
    if _name(f"//{host}") not in _LOOPBACK:
        return False
    origin = request.headers.get("origin")
    if request.method != "GET" and request.headers.get("content-type", "").split(";")[0] != "application/json":
        return False
    return origin is None or origin == f"{request.url.scheme}://{host}"


def _name(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
