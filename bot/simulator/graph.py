"""A stand-in for Meta's Graph API: takes and refuses messages as Meta does, sends receipts, shows faults on demand."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Coroutine
from datetime import datetime, timedelta
from typing import Any

import httpx
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.clock import Clock
from bot.simulator.account import Account, strange
from bot.simulator.answers import LostAnswer
from bot.simulator.bodies import Json, Line, message, new_wamid
from bot.simulator.faults import Fault, Faults, Kind
from bot.simulator.messages import Accepted, Refused
from bot.simulator.people import Directory, Person
from bot.simulator.receipts import ReceiptPlan, receipt
from bot.simulator.refusals import GraphRefusal
from bot.simulator.rules import refusal
from bot.simulator.templates import ApprovedTemplate
from bot.simulator.webhook import Webhook

WINDOW = timedelta(hours=24)


class StandIn:
    """One business number at the stand-in.

    Mount `routes`; read `messages` and `refused`; order trouble in `faults` and `receipts`; let a customer write
    with `hear`; `close` it at the end. `listeners` are called with every message taken and at each of its receipts.
    """

    def __init__(
        self,
        line: Line,
        clock: Clock,
        templates: Collection[ApprovedTemplate] = (),
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.line = line
        self.clock = clock
        self.templates = tuple(templates)
        self.directory = Directory()
        self.faults = Faults()
        self.receipts = ReceiptPlan()
        self.messages: list[Accepted] = []
        self.refused: list[Refused] = []
        self.read: list[str] = []
        self.listeners: list[Callable[[Accepted], None]] = []
        self.readers: list[Callable[[str, bool], None]] = []
        self.account = Account(line, self.templates)
        messages = Route("/graph/{version}/{number}/messages", self._post, methods=["POST"])
        self.routes = [messages, *self.account.routes]
        self._webhook = Webhook(line, transport)
        self._last_heard: dict[str, datetime] = {}
        self._lives: dict[str, asyncio.Task[None]] = {}
        self._queues: dict[str, asyncio.Lock] = {}

    # What customers and tests do.

    async def hear(self, person: Person, content: Json, wamid: str | None = None) -> bool:
        """`person` sends `content` (see `bodies`): a signed webhook, in order per person. Was it answered 200?"""
        if self.directory.by_user_id(person.user_id) is None:
            self.directory.add(person)
        now = self.clock.now()
        if content["type"] != "reaction":  # whether a reaction opens the window is not known: taken as not
            self._last_heard[person.user_id] = now
        async with self._queues.setdefault(person.user_id, asyncio.Lock()):
            return await self._webhook.post(message(self.line, person, wamid or new_wamid(), now, content))

    async def send_receipt(self, taken: Accepted, status: str, error: GraphRefusal | None = None) -> bool:
        """Post one receipt now. Was it answered 200?"""
        taken.statuses.append(status)
        taken.error_code = error.code if error is not None else taken.error_code
        self._tell(taken)
        return await self._webhook.post(receipt(self.line, taken, status, self.clock.now(), error))

    async def read_by_customer(self, taken: Accepted) -> None:
        """The customer has seen it: `read`, after the receipts that are still on their way."""
        life = self._lives.get(taken.wamid)
        if life is not None:
            await asyncio.wait([life])
        if not {"read", "failed"} & set(taken.statuses):
            await self.send_receipt(taken, "read")

    def window_open(self, person: Person) -> bool:
        """Has this customer written in the last 24 hours of the clock?"""
        heard = self._last_heard.get(person.user_id)
        return heard is not None and self.clock.now() - heard < WINDOW

    def deliveries(self) -> Counter[str | None]:
        """How often each delivery id reached a customer: twice is what must not happen."""
        return Counter(one.delivery_id for one in self.messages)

    async def settled(self) -> None:
        """Wait until every receipt that is due has been posted."""
        while self._lives:
            await asyncio.wait(list(self._lives.values()))

    async def close(self) -> None:
        """Drop what is still to be posted."""
        for life in list(self._lives.values()):
            life.cancel()
        await asyncio.gather(*self._lives.values(), return_exceptions=True)
        await self._webhook.close()

    # What the business's server calls.

    async def _post(self, request: Request) -> Response:
        stranger = self._stranger(request)
        if stranger is not None:
            return self._refuse(None, stranger)
        try:
            body = await request.json()
        except ValueError:
            return self._refuse(None, GraphRefusal(code=100, details="The body is not JSON."))
        if isinstance(body, dict) and body.get("status") == "read":
            return self._mark_read(body)
        return await self._take(body)

    def _stranger(self, request: Request) -> GraphRefusal | None:
        return strange(request, self.line.token, request.path_params["number"], self.line.phone_number_id)

    def _mark_read(self, body: Json) -> Response:
        wamid = body.get("message_id")
        if body.get("messaging_product") != "whatsapp" or not isinstance(wamid, str) or not wamid:
            return self._refuse(body, GraphRefusal(code=131009, details="message_id is not valid."))
        self.read.append(wamid)
        for reader in self.readers:
            reader(wamid, "typing_indicator" in body)
        return JSONResponse({"success": True})

    async def _take(self, body: object) -> Response:
        person, refused = self._judge(body)
        struck = self.faults.take(person) if person is not None else {}
        ordered = struck.get(Kind.REFUSE)
        if ordered is not None:
            refused = GraphRefusal(code=ordered.code, details="Refused by order of the simulator.")
        if refused is not None or person is None or not isinstance(body, dict):
            await _delay(struck)
            return self._refuse(body, refused or GraphRefusal(code=100, details="Not readable."))
        garble = struck.get(Kind.GARBLE)
        if garble is not None and not garble.taken:
            return Response(garble.text, garble.status)
        taken = await self._accept(body, person, struck.get(Kind.FAIL))
        await _delay(struck)
        if Kind.LOSE in struck:
            return LostAnswer()
        return Response(garble.text, garble.status) if garble is not None else self._answer(taken)

    def _judge(self, body: object) -> tuple[Person | None, GraphRefusal | None]:
        """For whom, and why not. The window counts last, so that a malformed message is never hidden behind it."""
        refused = refusal(body, window_open=True, templates=self.templates)
        if refused is not None or not isinstance(body, dict):
            return None, refused
        person = self.directory.addressed(body.get("to"), body.get("recipient"))
        return person, refusal(body, window_open=self.window_open(person), templates=self.templates)

    async def _accept(self, body: Json, person: Person, fault: Fault | None) -> Accepted:
        taken = Accepted(wamid=new_wamid(), person=person, body=body, at=self.clock.now())
        self.messages.append(taken)
        self._tell(taken)
        life = self._start(taken.wamid, self._live(taken, fault))
        if self.receipts.before_answer:
            await asyncio.wait([life])
        return taken

    def _start(self, wamid: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        life = asyncio.get_running_loop().create_task(work)
        self._lives[wamid] = life
        life.add_done_callback(lambda _: self._lives.pop(wamid, None))
        return life

    async def _live(self, taken: Accepted, fault: Fault | None) -> None:
        for status in self.receipts.statuses:
            await asyncio.sleep(self.receipts.pause)
            if fault is not None and status != "sent":
                break
            await self.send_receipt(taken, status)
        if fault is not None:
            error = GraphRefusal(code=fault.code, details="Failed by order of the simulator.")
            await self.send_receipt(taken, "failed", error)

    def _tell(self, taken: Accepted) -> None:
        for listener in self.listeners:
            listener(taken)

    def _answer(self, taken: Accepted) -> Response:
        person, body = taken.person, taken.body
        contact: Json = {"input": body.get("to") or body.get("recipient"), "user_id": person.user_id}
        if "to" in body and person.wa_id:
            contact["wa_id"] = person.wa_id
        sent: Json = {"id": taken.wamid} | ({"message_status": "accepted"} if taken.kind == "template" else {})
        return JSONResponse({"messaging_product": "whatsapp", "contacts": [contact], "messages": [sent]})

    def _refuse(self, body: object, refused: GraphRefusal) -> Response:
        self.refused.append(Refused(body=body, refusal=refused, at=self.clock.now()))
        return JSONResponse(refused.answer(), refused.http_status)


async def _delay(struck: dict[Kind, Fault]) -> None:
    if Kind.DELAY in struck:
        await asyncio.sleep(struck[Kind.DELAY].seconds)
