"""What Meta holds of an account: its templates, who hears its webhooks, its number. Read leniently."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.whatsapp.client import AccountClient, Answered, Lost, NotSent, Refused
from bot.whatsapp.templates import PARAMETERS, Template, creation_json, variables
from bot.whatsapp.values import line_or_none, list_or_empty, object_or_empty, text_or_none

TEMPLATES, APPS = "message_templates", "subscribed_apps"
FIELDS = "name,language,status,category,components"
APPROVED = "APPROVED"
"""The only status in which a template can be sent."""
MOST_PAGES = 100
BUTTONS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A template as Meta has it. `fits` = it can be filled and answered as a reminder of ours; None = not told."""

    name: str
    language: str
    status: str
    category: str
    fits: bool | None


async def templates(client: AccountClient, waba_id: str) -> tuple[Held, ...] | Refused | NotSent | Lost:
    """All of them, page by page."""
    found: list[Held] = []
    page: dict[str, str] = {}
    for _ in range(MOST_PAGES):
        answer = await client.ask(waba_id, TEMPLATES, fields=FIELDS, limit="100", **page)
        if not isinstance(answer, Answered):
            return answer
        found += [_held(object_or_empty(one)) for one in list_or_empty(answer.body.get("data"))]
        after = _next(answer.body)
        if after is None:
            break
        page = {"after": after}
    return tuple(found)


async def create(client: AccountClient, waba_id: str, template: Template) -> str | Refused | NotSent | Lost:
    """Asks for a review of one of ours; the status that it then has."""
    answer = await client.add(waba_id, TEMPLATES, creation_json(template))
    return line_or_none(answer.body.get("status")) or "PENDING" if isinstance(answer, Answered) else answer


def apps(body: Mapping[str, object]) -> tuple[str, ...]:
    """The names of the apps that get the account's webhooks, from the answer of its APPS edge."""
    items = [object_or_empty(one) for one in list_or_empty(body.get("data"))]
    named = [object_or_empty(one.get("whatsapp_business_api_data")) for one in items]
    return tuple(line_or_none(one.get("name")) or line_or_none(one.get("id")) or "an app" for one in named)


def shown_number(body: Mapping[str, object]) -> str | None:
    """The business's number as people write it."""
    return line_or_none(body.get("display_phone_number"))


def _held(item: Mapping[str, object]) -> Held:
    parts = [object_or_empty(part) for part in list_or_empty(item.get("components"))]
    return Held(
        name=line_or_none(item.get("name")) or "",
        language=(line_or_none(item.get("language")) or "").replace("-", "_"),
        status=line_or_none(item.get("status")) or "",
        category=line_or_none(item.get("category")) or "",
        fits=_fits(parts) if parts else None,
    )


def _fits(parts: list[Mapping[str, object]]) -> bool:
    texts = [text_or_none(part.get("text")) or "" for part in parts if part.get("type") == "BODY"]
    buttons = [one for part in parts for one in list_or_empty(part.get("buttons"))]
    answers = [one for one in buttons if object_or_empty(one).get("type") == "QUICK_REPLY"]
    return {*variables("".join(texts))} == {*PARAMETERS} and len(answers) == len(buttons) == BUTTONS


def _next(body: Mapping[str, object]) -> str | None:
    """The cursor of the next page; Meta gives one for the last page too, but then no address of a next one."""
    paging = object_or_empty(body.get("paging"))
    after = object_or_empty(paging.get("cursors")).get("after")
    return after if isinstance(after, str) and after and "next" in paging else None
