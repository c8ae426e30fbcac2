"""What Meta refuses of messages with buttons and lists (reference: Messages API, interactive object)."""

from collections.abc import Callable, Mapping

from bot.simulator.refusals import RefusedError, a_list, a_text, all_different, an_id, an_object

_MOST_BUTTONS = 3
_MOST_ROWS = 10


def check_interactive(interactive: Mapping[str, object]) -> None:
    """Raise RefusedError for what Meta would not take."""
    kind = interactive.get("type")
    if kind not in _ACTIONS or not isinstance(kind, str):
        raise RefusedError(131009, f"interactive.type must be one of {', '.join(_ACTIONS)}.")
    _check_header(interactive, kind)
    a_text(an_object(interactive.get("body"), "interactive.body").get("text"), "interactive.body.text", most=1024)
    if "footer" in interactive:
        footer = an_object(interactive["footer"], "interactive.footer")
        a_text(footer.get("text"), "interactive.footer.text", most=60)
    _ACTIONS[kind](an_object(interactive.get("action"), "interactive.action"))


def _check_header(interactive: Mapping[str, object], kind: str) -> None:
    if "header" not in interactive:
        return
    header = an_object(interactive["header"], "interactive.header")
    if header.get("type") != "text":
        raise RefusedError(131009, f"interactive.header.type must be 'text' for {kind}.")
    a_text(header.get("text"), "interactive.header.text", most=60)


def _check_buttons(action: Mapping[str, object]) -> None:
    titles, ids = [], []
    for number, value in enumerate(a_list(action.get("buttons"), "action.buttons", least=1, most=_MOST_BUTTONS)):
        path = f"action.buttons[{number}]"
        button = an_object(value, path)
        if button.get("type") != "reply":
            raise RefusedError(131009, f"{path}.type must be 'reply'.")
        reply = an_object(button.get("reply"), f"{path}.reply")
        ids.append(an_id(reply.get("id"), f"{path}.reply.id", most=256))
        titles.append(a_text(reply.get("title"), f"{path}.reply.title", most=20))
    all_different(titles, "button title")
    all_different(ids, "button id")


def _check_list(action: Mapping[str, object]) -> None:
    a_text(action.get("button"), "action.button", most=20)
    sections = a_list(action.get("sections"), "action.sections", least=1, most=10)
    ids: list[str] = []
    for number, value in enumerate(sections):
        path = f"action.sections[{number}]"
        section = an_object(value, path)
        if len(sections) > 1 or "title" in section:
            a_text(section.get("title"), f"{path}.title", most=24)
        rows = a_list(section.get("rows"), f"{path}.rows", least=1, most=_MOST_ROWS)
        ids += [_check_row(row, f"{path}.rows[{place}]") for place, row in enumerate(rows)]
    if len(ids) > _MOST_ROWS:
        raise RefusedError(131009, f"Total row count exceeded: {len(ids)}. Max allowed: {_MOST_ROWS}")
    all_different(ids, "row id")


def _check_row(value: object, path: str) -> str:
    row = an_object(value, path)
    a_text(row.get("title"), f"{path}.title", most=24)
    if "description" in row:
        a_text(row["description"], f"{path}.description", most=72)
    return an_id(row.get("id"), f"{path}.id", most=200)


def _check_link(action: Mapping[str, object]) -> None:
    parameters = an_object(action.get("parameters"), "action.parameters")
    a_text(parameters.get("display_text"), "action.parameters.display_text", most=20)
    url = a_text(parameters.get("url"), "action.parameters.url", most=2000)
    if not url.startswith(("https://", "http://")):
        raise RefusedError(131009, "action.parameters.url is not a valid URL.")


def _check_name(name: str) -> Callable[[Mapping[str, object]], None]:
    def check(action: Mapping[str, object]) -> None:
        if action.get("name") != name:
            raise RefusedError(131009, f"action.name must be '{name}'.")

    return check


_ACTIONS: Mapping[str, Callable[[Mapping[str, object]], None]] = {
    "button": _check_buttons,
    "list": _check_list,
    "cta_url": _check_link,
    "location_request_message": _check_name("send_location"),
    "request_contact_info": _check_name("request_contact_info"),
}
