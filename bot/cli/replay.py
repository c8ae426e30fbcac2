"""`confirmo replay`."""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer

from bot.cli import door
from bot.settings import Settings, require
from bot.whatsapp.signature import sign

TIMEOUT = 30
ANYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - a server that listens on all


def replay(
    fixtures: Annotated[list[Path], typer.Argument(metavar="FIXTURE...", help="Files with webhook bodies.")],
    url: Annotated[
        str | None, typer.Option(help="Where to post; by default http://HOST:PORT/webhook of the settings.")
    ] = None,
    as_is: Annotated[
        bool,
        typer.Option("--as-is", help="Post the exact bytes; otherwise phone_number_id is rewritten to ours first."),
    ] = False,
) -> None:
    """Exit 1 unless every one gets 200."""
    settings = door.settings()
    require(settings, "whatsapp_app_secret", *(() if as_is else ("whatsapp_phone_number_id",)))
    bodies = [(path, path.read_bytes()) for path in fixtures]
    if not as_is:
        bodies = [(path, rewritten(body, settings.whatsapp_phone_number_id)) for path, body in bodies]
    good = True
    with httpx.Client(timeout=TIMEOUT, trust_env=False) as http:
        for path, body in bodies:
            status = _post(http, url or _default_url(settings), body, settings.app_secrets[0])
            typer.echo(f"{status}  {path}")
            good = good and status == httpx.codes.OK
    if not good:
        raise typer.Exit(1)


def rewritten(body: bytes, phone_number_id: str) -> bytes:
    """The body for our number; exactly as it was when there is no number in it, or no JSON."""
    try:
        whole = json.loads(body)
    except (ValueError, RecursionError):
        return body
    found = list(_metadata(whole))
    for metadata in found:
        metadata["phone_number_id"] = phone_number_id
    return json.dumps(whole).encode() if found else body


def _metadata(whole: Any) -> Iterator[dict[str, Any]]:
    changes = chain.from_iterable(_list(_get(entry, "changes")) for entry in _list(_get(whole, "entry")))
    for change in changes:
        metadata = _get(_get(change, "value"), "metadata")
        if isinstance(metadata, dict) and "phone_number_id" in metadata:
            yield metadata


def _get(holder: Any, key: str) -> Any:
    return holder.get(key) if isinstance(holder, dict) else None


def _list(found: Any) -> list[Any]:
    return found if isinstance(found, list) else []


def _post(http: httpx.Client, url: str, body: bytes, secret: str) -> int:
    headers = {"content-type": "application/json", "x-hub-signature-256": sign(secret, body)}
    try:
        return http.post(url, content=body, headers=headers).status_code
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        message = f"{url} does not answer: {str(error) or type(error).__name__}"
        raise ValueError(message) from None


def _default_url(settings: Settings) -> str:
    if not settings.port:
        raise ValueError("PORT is 0, any free port: name the server with --url")
    host = ANYWHERE.get(settings.host, settings.host)
    return f"http://[{host}]:{settings.port}/webhook" if ":" in host else f"http://{host}:{settings.port}/webhook"
