"""What a phone shows of a message from the business: text, and the options that can be tapped."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.simulator import bodies
from bot.simulator.bodies import Json
from bot.simulator.templates import ApprovedTemplate, find, named_values, payloads


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A button or a row: how it looks, and what its tap makes the phone send."""

    title: str
    tap: Json
    description: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One bubble. `kind`: text, buttons, list, template. `opener` is the label of the button that opens a list."""

    kind: str
    text: str
    header: str = ""
    footer: str = ""
    opener: str = ""
    link: str = ""
    options: tuple[Option, ...] = ()


def shown(body: Mapping[str, object], templates: Collection[ApprovedTemplate]) -> Shown:
    """The bubble for an accepted body; accepted means that the rules have passed it."""
    kind = str(body.get("type", "text"))
    content: Json = dict(body)
    if kind == "template":
        return _template(content["template"], templates)
    if kind == "interactive":
        return _interactive(content["interactive"])
    return Shown(kind="text", text=str(content["text"]["body"]))


def _template(message: Json, templates: Collection[ApprovedTemplate]) -> Shown:
    template = find(templates, message["name"], message["language"]["code"])
    if template is None:
        return Shown(kind="template", text=str(message["name"]))
    components = message.get("components", [])
    given = payloads(components)
    options = tuple(
        Option(title=label, tap=bodies.template_tap(given.get(place, label), label))
        for place, label in enumerate(template.buttons)
    )
    return Shown(kind="template", text=template.render(named_values(components)), options=options)


def _interactive(message: Json) -> Shown:
    action = message["action"]
    return Shown(
        kind="list" if message["type"] == "list" else "buttons",
        text=message["body"]["text"],
        header=message.get("header", {}).get("text", ""),
        footer=message.get("footer", {}).get("text", ""),
        opener=action.get("button", ""),
        link=action.get("parameters", {}).get("url", ""),
        options=(*_buttons(action), *_rows(action)),
    )


def _buttons(action: Json) -> list[Option]:
    replies = [button["reply"] for button in action.get("buttons", [])]
    return [Option(title=one["title"], tap=bodies.button_tap(one["id"], one["title"])) for one in replies]


def _rows(action: Json) -> list[Option]:
    return [
        Option(
            title=row["title"],
            description=row.get("description", ""),
            section=section.get("title", ""),
            tap=bodies.row_tap(row["id"], row["title"], row.get("description")),
        )
        for section in action.get("sections", [])
        for row in section["rows"]
    ]
