"""One call to the Graph API and what became of it. The only user of tenacity, with lanes.py of httpx.

There is no idempotency key: whether a message may have gone out decides everything, so each outcome is its own type.
"""

import asyncio
import importlib.util
import json
import logging
import random
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt

from bot.whatsapp.content import load_json
from bot.whatsapp.errors import NO_CODE, GraphError, read_error
from bot.whatsapp.outbound import Json
from bot.whatsapp.values import id_or_none, list_or_empty, object_or_empty

# Both would write addresses with our number in them at INFO, and headers at DEBUG.
logging.getLogger("httpx").setLevel(logging.WARNING)
logging.getLogger("httpcore").setLevel(logging.WARNING)
if importlib.util.find_spec("sniffio") is None:
    # httpcore asks for it several times a call, and each time Python would search all its folders again.
    sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]  # None: known not to be there

TRIES = 2
_SECONDS = re.compile(r"[0-9]{1,9}")
# The connection did not come about, so not one byte of the message was sent.
_NEVER_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,  # such as a token with a line break: refused by our side before it is written
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """Meta took the message: not sent yet, let alone delivered. `held` = kept back for a quality check."""

    wamid: str
    wa_id: str | None
    user_id: str | None
    held: bool
    calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Meta did not take it, and said why. `retry_after` in seconds."""

    error: GraphError
    http_status: int
    retry_after: float | None
    calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NotSent:
    """There was no connection: surely not sent."""

    why: str
    calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The answer got lost: the message may have gone out or not."""

    why: str
    calls: int


Outcome = Accepted | Refused | NotSent | Lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What Meta says of the account or the number; `at` is the time on Meta's clock, to the second."""

    body: Mapping[str, object]
    at: datetime | None


Reply = Answered | Refused | NotSent | Lost


@dataclass(slots=True)
class _Tally:
    calls: int = 0
    under_way: bool = False


class GraphClient:
    """Sends for one business number."""

    def __init__(
        self, *, base_url: str, version: str, phone_number_id: str, token: str, timeout: float, http: httpx.AsyncClient
    ) -> None:
        self._url = httpx.URL(f"{base_url.rstrip('/')}/{version}/{phone_number_id}/messages")
        # A token that cannot stand in a header at all fails here, at the start, not at a message.
        self._headers = httpx.Headers(
            {**http.headers, "Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        )
        self._timeout = timeout
        # Connecting may fail twice and still leave time for the call itself.
        self._limits = {"timeout": httpx.Timeout(timeout, connect=timeout / 3, pool=timeout / 3).as_dict()}
        self._http = http

    async def send(self, body: Json) -> Outcome:
        """Post one message (`outbound.addressed`). Never raises for what the network or Meta do; within `timeout` s."""
        tally = _Tally()
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._post_twice(body, tally)
        except (httpx.HTTPError, TimeoutError) as error:
            why = type(error).__name__
            if tally.under_way:
                return Lost(why=why, calls=tally.calls)
            return NotSent(why=why, calls=tally.calls)
        return replace(read_answer(response), calls=tally.calls)

    async def mark_read(self, wamid: str, *, typing: bool = False) -> bool:
        """Blue ticks, and "typing…" if wanted. Best effort: a failure is only told to the caller."""
        body: Json = {"messaging_product": "whatsapp", "status": "read", "message_id": wamid}
        if typing:
            body["typing_indicator"] = {"type": "text"}
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._post(body, _Tally())
        except (httpx.HTTPError, TimeoutError):
            return False
        return response.is_success

    async def _post_twice(self, body: Json, tally: _Tally) -> httpx.Response:
        try:
            return await self._post(body, tally)
        except _NEVER_SENT:
            # Only now, since it costs more than all else here. A new one for each call: tenacity keeps its state on it.
            again = AsyncRetrying(
                retry=retry_if_exception_type(_NEVER_SENT),
                stop=stop_after_attempt(TRIES - 1),
                before=_pause,
                reraise=True,
            )
            return await again(self._post, body, tally)

    async def _post(self, body: Json, tally: _Tally) -> httpx.Response:
        tally.calls += 1
        tally.under_way = True
        request = httpx.Request(
            "POST", self._url, headers=self._headers, content=json.dumps(body).encode(), extensions=self._limits
        )
        try:
            return await self._http.send(request)
        except _NEVER_SENT:
            tally.under_way = False
            raise


async def _pause(_: RetryCallState) -> None:
    await asyncio.sleep(random.uniform(0.05, 0.2))  # noqa: S311 - no secret


class AccountClient:
    """Asks about the account and its number, and adds to it: for an operator's commands, not for messages."""

    def __init__(self, *, base_url: str, version: str, token: str, timeout: float, http: httpx.AsyncClient) -> None:
        self._base = f"{base_url.rstrip('/')}/{version}"
        self._headers = httpx.Headers({"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        self._timeout = timeout
        self._http = http

    async def ask(self, node: str, edge: str = "", **query: str) -> Reply:
        """`GET /NODE[/EDGE]`. Never raises for what the network or Meta do; within `timeout` s, asked once."""
        return await self._call("GET", node, edge, params=query)

    async def add(self, node: str, edge: str, body: Mapping[str, object]) -> Reply:
        """`POST /NODE/EDGE`. NotSent, Lost and Refused as in a send."""
        return await self._call("POST", node, edge, content=json.dumps(body).encode())

    async def _call(self, method: str, node: str, edge: str, **what: Any) -> Reply:
        url = "/".join(part for part in (self._base, quote(node, safe=""), edge) if part)
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._http.request(
                    method, url, headers=self._headers, timeout=self._timeout, follow_redirects=False, **what
                )
        except _NEVER_SENT as error:
            return NotSent(why=type(error).__name__, calls=1)
        except (httpx.HTTPError, TimeoutError) as error:
            return Lost(why=type(error).__name__, calls=1)
        body = _body(response)
        if response.is_success and body and "error" not in body:
            return Answered(body=body, at=_date(response))
        return _unaccepted(response, body)


def read_answer(response: httpx.Response) -> Outcome:
    """What an HTTP answer to a send means. Meta: go by the body's code, not by the HTTP status."""
    body = _body(response)
    wamid = id_or_none(_first(body, "messages").get("id")) if response.is_success else None
    if wamid is not None:
        contact = _first(body, "contacts")
        return Accepted(
            wamid=wamid,
            wa_id=id_or_none(contact.get("wa_id")),
            user_id=id_or_none(contact.get("user_id")),
            held=_first(body, "messages").get("message_status") in ("held_for_quality_assessment", "paused"),
            calls=1,
        )
    return _unaccepted(response, body)


def _unaccepted(response: httpx.Response, body: Mapping[str, object]) -> Refused | Lost:
    error = read_error(body.get("error"))
    if error is None and (response.is_success or response.is_server_error):
        return Lost(why=f"HTTP {response.status_code} without a usable body", calls=1)
    if error is None:
        error = GraphError(code=NO_CODE, title=f"HTTP {response.status_code} without a Graph error")
    return Refused(error=error, http_status=response.status_code, retry_after=_retry_after(response), calls=1)


def _body(response: httpx.Response) -> Mapping[str, object]:
    try:
        return object_or_empty(load_json(response.content.decode()))
    except (ValueError, RecursionError):
        return {}


def _first(body: Mapping[str, object], key: str) -> Mapping[str, object]:
    return object_or_empty(next(iter(list_or_empty(body.get(key))), None))


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds only; the header's date form is not used by Meta."""
    value = response.headers.get("retry-after", "")
    return float(value) if _SECONDS.fullmatch(value) else None


def _date(response: httpx.Response) -> datetime | None:
    try:
        told = parsedate_to_datetime(response.headers.get("date", ""))
    except (ValueError, TypeError):
        return None
    return told if told.tzinfo is not None else None
