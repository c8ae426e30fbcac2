"""A stand-in Graph in a process of its own: counts what each customer received by delivery id, fails by a seeded plan.

`uvicorn --factory tests.faults.graph_process:create_app`; GRAPH_WEBHOOKS names the servers that hear its receipts.
"""

import asyncio
import json
import os
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from itertools import cycle
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.clock import Clock
from bot.simulator.answers import LostAnswer
from bot.simulator.bodies import Json, Line, new_wamid
from bot.simulator.messages import Accepted
from bot.simulator.people import Person, digits_of
from bot.simulator.receipts import receipt
from bot.simulator.refusals import GraphRefusal
from bot.simulator.rules import refusal
from bot.simulator.webhook import wire
from bot.whatsapp.signature import sign
from tests.faults.plan import REFUSALS, TAKEN, Answer, Fate, Plan, Post, read
from tests.stack.world import line_to, templates

AGAIN_SECONDS = 0.5
RETRY_AFTER = 2


@dataclass(slots=True, kw_only=True)
class Take:
    """One message that reached a customer; `heard` are the receipts that were answered 200, the first at `heard_at`."""

    wamid: str
    at: float
    answer: str
    mute: bool
    failed: int | None
    heard: list[str] = field(default_factory=list)
    heard_at: float | None = None


@dataclass(slots=True)
class Book:
    """All that happened, by delivery id."""

    takes: dict[str, list[Take]] = field(default_factory=dict)
    calls: dict[str, list[str]] = field(default_factory=dict)
    call_times: list[tuple[float, str]] = field(default_factory=list)
    webhook_answers: Counter[str] = field(default_factory=Counter)
    posting: int = 0
    slowest_webhook: float = 0.0


class Graph:
    """One business number."""

    def __init__(self, webhooks: Sequence[str], plan: Plan) -> None:
        self.plan = plan
        self.book = Book()
        self.stopped = False
        self.clock = Clock()
        self._urls = cycle(webhooks)
        self._line: Line = line_to(webhooks[0])
        self._templates = templates()
        self._http = httpx.AsyncClient(timeout=10, trust_env=False)
        self._tasks: set[asyncio.Task[None]] = set()

    async def messages(self, request: Request) -> Response:
        """POST …/messages."""
        body: Json = await request.json()
        if body.get("status") == "read":
            return JSONResponse({"success": True})
        found = refusal(body, window_open=True, templates=self._templates)
        if found is not None:
            return JSONResponse(found.answer(), found.http_status)
        delivery_id = str(body["biz_opaque_callback_data"])
        calls = self.book.calls.setdefault(delivery_id, [])
        fate = self.plan.fate(delivery_id, len(calls))
        if self.stopped:
            calls.append("stopped")
            return LostAnswer()
        calls.append(fate.answer)
        now = self.clock.now()
        self.book.call_times.append((now.timestamp(), str(body["type"])))
        if fate.answer not in TAKEN:
            return await self._refuse(request, fate.answer)
        person = Person(user_id=f"XX.{digits_of(body['to'])}", wa_id=digits_of(body["to"]))
        taken = Accepted(wamid=new_wamid(), person=person, body=body, at=now)
        take = Take(wamid=taken.wamid, at=now.timestamp(), answer=fate.answer, mute=fate.mute, failed=fate.failed)
        self.book.takes.setdefault(delivery_id, []).append(take)
        await self._tell(taken, take, fate)
        return await self._answer(request, taken, fate.answer)

    async def _tell(self, taken: Accepted, take: Take, fate: Fate) -> None:
        """Its receipts, the first of them before the answer if so drawn."""
        posts = list(fate.posts)
        if fate.before:
            self.book.posting += 1
            await self._post(taken, take, Post(0, posts.pop(0).statuses), tries=2)
            self.book.posting -= 1
        for post in posts or (list(fate.posts) if fate.before and not take.heard else []):
            self.book.posting += 1
            task = asyncio.get_running_loop().create_task(self._later(taken, take, post))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _later(self, taken: Accepted, take: Take, post: Post) -> None:
        await asyncio.sleep(post.after)
        await self._post(taken, take, post, tries=240)
        self.book.posting -= 1

    async def _post(self, taken: Accepted, take: Take, post: Post, *, tries: int) -> None:
        """Until it is answered 200, as Meta does."""
        error = GraphRefusal(code=take.failed, details="Failed by the plan.") if take.failed is not None else None
        bodies = [receipt(self._line, taken, one, self.clock.now(), error) for one in post.statuses]
        statuses = [body["entry"][0]["changes"][0]["value"]["statuses"][0] for body in bodies]
        bodies[0]["entry"][0]["changes"][0]["value"]["statuses"] = statuses
        content = wire(bodies[0])
        for _ in range(tries):
            if await self._heard(content):
                take.heard += post.statuses
                take.heard_at = take.heard_at or self.clock.now().timestamp()
                return
            await asyncio.sleep(AGAIN_SECONDS)

    async def _heard(self, content: bytes) -> bool:
        headers = {"X-Hub-Signature-256": sign(self._line.app_secret, content), "Content-Type": "application/json"}
        began = asyncio.get_running_loop().time()
        try:
            answer = await self._http.post(next(self._urls), content=content, headers=headers)
        except httpx.TransportError as error:
            self.book.webhook_answers[type(error).__name__] += 1
            return False
        finally:
            took = asyncio.get_running_loop().time() - began
            self.book.slowest_webhook = max(self.book.slowest_webhook, took)
        self.book.webhook_answers[str(answer.status_code)] += 1
        return answer.status_code == httpx.codes.OK

    async def _refuse(self, request: Request, answer: Answer) -> Response:
        if answer is Answer.RESET:
            return _reset(request)
        if answer is Answer.BROKEN:
            return Response("<html>Bad Gateway</html>", 502)
        code, status = REFUSALS[answer]
        headers = {"Retry-After": str(RETRY_AFTER)} if answer is Answer.THROTTLED else {}
        return JSONResponse(GraphRefusal(code=code, details="By the plan.").answer(), status, headers)

    async def _answer(self, request: Request, taken: Accepted, answer: Answer) -> Response:
        match answer:
            case Answer.RESET_TAKEN:
                return _reset(request)
            case Answer.SLOW_TAKEN:
                await asyncio.sleep(self.plan.slow)
                return LostAnswer()
            case Answer.BROKEN_TAKEN:
                return Response("<html>Service Unavailable</html>", 503)
            case Answer.NOT_JSON_TAKEN:
                return Response('{"messages": [{"id"')
            case Answer.NO_ID_TAKEN:
                return JSONResponse({"messaging_product": "whatsapp", "messages": [{}]})
            case _:
                await asyncio.sleep(self.plan.delay)
                contact = {"input": taken.body.get("to"), "wa_id": taken.person.wa_id, "user_id": taken.person.user_id}
                sent = {"id": taken.wamid, "message_status": "accepted"}
                return JSONResponse({"messaging_product": "whatsapp", "contacts": [contact], "messages": [sent]})

    async def statistics(self, request: Request) -> Response:
        """GET /statistics."""
        del request
        book = self.book
        told: dict[str, Any] = {"takes": {key: [asdict(one) for one in takes] for key, takes in book.takes.items()}}
        told |= {"calls": book.calls, "call_times": book.call_times, "webhook_answers": book.webhook_answers}
        return JSONResponse({**told, "posting": book.posting, "slowest_webhook": book.slowest_webhook})

    async def counts(self, request: Request) -> Response:
        """GET /counts: cheap enough to be asked often."""
        del request
        return JSONResponse({"taken": sum(map(len, self.book.takes.values())), "posting": self.book.posting})

    async def set_plan(self, request: Request) -> Response:
        """POST /plan."""
        self.plan = read(await request.json())
        return Response()

    async def stop(self, request: Request) -> Response:
        """POST /stop and /resume: while stopped, nothing is taken and no answer is given."""
        self.stopped = request.url.path.endswith("stop")
        return Response()

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        yield
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._http.aclose()


def _reset(request: Request) -> Response:
    """The connection breaks before a single byte of an answer (uvicorn's own, behind `receive`)."""
    request.receive.__self__.transport.abort()  # type: ignore[attr-defined]
    return Response()


def create_app() -> Starlette:
    """The process's application."""
    plan = read(json.loads(os.environ.get("GRAPH_PLAN", "{}")))
    graph = Graph(os.environ["GRAPH_WEBHOOKS"].split(","), plan)
    routes = [
        Route("/graph/{version}/{number}/messages", graph.messages, methods=["POST"]),
        Route("/statistics", graph.statistics),
        Route("/counts", graph.counts),
        Route("/plan", graph.set_plan, methods=["POST"]),
        Route("/stop", graph.stop, methods=["POST"]),
        Route("/resume", graph.stop, methods=["POST"]),
    ]
    return Starlette(routes=routes, lifespan=graph.lifespan)
