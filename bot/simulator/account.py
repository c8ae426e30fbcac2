"""What the stand-in tells of the account, and the templates that are handed in: Meta's rules for them."""

import hmac
import re
from collections.abc import Collection, Iterator, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.simulator.bodies import Json, Line
from bot.simulator.refusals import GraphRefusal, RefusedError, a_list, a_text, an_object
from bot.simulator.templates import ApprovedTemplate

ROOT = "/graph/{version}"
_NAME = re.compile(r"[a-z0-9_]+")
_PLACE = re.compile(r"\{\{(\w+)\}\}")
_EDGE = re.compile(r"^\s*\{\{|\}\}\s*$")


def strange(request: Request, token: str, asked: str, ours: str) -> GraphRefusal | None:
    """Why this caller gets nothing: another token, or another id than ours."""
    expected = f"Bearer {token}".encode()
    if not hmac.compare_digest(request.headers.get("authorization", "").encode(), expected):
        return GraphRefusal(code=190, details="Error validating access token.")
    if asked != ours:
        return GraphRefusal(code=100, details=f"Object with ID '{asked}' does not exist.")
    return None


class Account:
    """Mount `routes`. What is handed in stays PENDING: nobody reviews it, so it cannot be sent."""

    def __init__(self, line: Line, approved: Collection[ApprovedTemplate]) -> None:
        self.line = line
        self.apps: list[str] = ["Confirmo"]
        self.held: list[Json] = [_shown(one) for one in approved]
        self.routes = [
            Route(f"{ROOT}/{{node}}", self._number),
            Route(f"{ROOT}/{{node}}/subscribed_apps", self._subscribed),
            Route(f"{ROOT}/{{node}}/message_templates", self._templates),
            Route(f"{ROOT}/{{node}}/message_templates", self._create, methods=["POST"]),
        ]

    async def _number(self, request: Request) -> Response:
        answer: Json = {"id": self.line.phone_number_id, "display_phone_number": self.line.display_phone_number}
        return self._refused(request, self.line.phone_number_id) or JSONResponse(answer)

    async def _subscribed(self, request: Request) -> Response:
        answer = {"data": [{"whatsapp_business_api_data": {"name": name}} for name in self.apps]}
        return self._refused(request, self.line.waba_id) or JSONResponse(answer)

    async def _templates(self, request: Request) -> Response:
        return self._refused(request, self.line.waba_id) or JSONResponse(self._page(request))

    def _page(self, request: Request) -> Json:
        begin, limit = int(request.query_params.get("after", 0)), int(request.query_params.get("limit", 25))
        end = begin + limit
        paging: Json = {"cursors": {"before": str(begin), "after": str(end)}}
        if end < len(self.held):
            paging["next"] = str(request.url.include_query_params(after=end))
        return {"data": self.held[begin:end], "paging": paging}

    async def _create(self, request: Request) -> Response:
        refused = self._refused(request, self.line.waba_id)
        if refused is not None:
            return refused
        try:
            template = an_object(await request.json(), "the body")
            check_creation(template, self.held)
        except RefusedError as error:
            return JSONResponse(error.refusal.answer(), error.refusal.http_status)
        held = {**template, "status": "PENDING", "id": str(900_000_000_000_000 + len(self.held))}
        self.held.append(held)
        return JSONResponse({name: held[name] for name in ("id", "status", "category")})

    def _refused(self, request: Request, ours: str) -> Response | None:
        refusal = strange(request, self.line.token, request.path_params["node"], ours)
        return JSONResponse(refusal.answer(), refusal.http_status) if refusal is not None else None


def check_creation(template: Mapping[str, object], held: Collection[Mapping[str, object]]) -> None:
    """Raise RefusedError for what Meta would not take up for review."""
    name, language = (
        a_text(template.get("name"), "name", most=512),
        a_text(template.get("language"), "language", most=6),
    )
    if not _NAME.fullmatch(name):
        raise RefusedError(100, "name: only a-z, 0-9 and _ are allowed.")
    if any((one["name"], one["language"]) == (name, language) for one in held):
        raise RefusedError(100, f"There is already a template {name} in {language}.")
    if template.get("category") not in {"UTILITY", "MARKETING", "AUTHENTICATION"}:
        raise RefusedError(100, "category: unknown.")
    for part in a_list(template.get("components"), "components", least=1, most=4):
        _check_part(an_object(part, "components[]"))


def _check_part(part: Mapping[str, object]) -> None:
    if part.get("type") == "BODY":
        _check_body(part)
    for one in a_list(part.get("buttons", []), "buttons", least=0, most=10):
        a_text(an_object(one, "buttons[]").get("text"), "buttons[].text", most=25)


def _check_body(part: Mapping[str, object]) -> None:
    text = a_text(part.get("text"), "body.text", most=1024)
    if _EDGE.search(text):
        raise RefusedError(2388299, "Variables can't be at the start or end of the template.")
    if re.search(r"\}\}\s*\{\{", text):
        raise RefusedError(100, "body: two variables side by side.")
    if {*_PLACE.findall(text)} != {*_examples(part.get("example"))}:
        raise RefusedError(100, "body: an example is needed for each variable.")


def _examples(example: object) -> Iterator[object]:
    if isinstance(example, dict):
        for one in a_list(example.get("body_text_named_params", []), "example", least=0, most=100):
            yield an_object(one, "example[]").get("param_name")


def _shown(one: ApprovedTemplate) -> Json:
    buttons = [{"type": "QUICK_REPLY", "text": label} for label in one.buttons]
    parts: list[Json] = [
        {"type": "BODY", "text": one.body},
        *([{"type": "BUTTONS", "buttons": buttons}] * bool(buttons)),
    ]
    named = {"name": one.name, "language": one.language, "category": "UTILITY", "parameter_format": "NAMED"}
    return {**named, "status": "APPROVED", "components": parts}
