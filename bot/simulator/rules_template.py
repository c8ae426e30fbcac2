"""What Meta refuses of template messages: unknown templates, wrong parameters, payloads and lengths."""

import re
from collections.abc import Collection, Mapping

from bot.simulator.refusals import RefusedError, a_list, a_text, an_object, length
from bot.simulator.templates import ApprovedTemplate, find

_FORBIDDEN = re.compile(r"[\n\r\t]| {5,}")
_LONGEST_BODY = 1024
# 256 and 128 are both in circulation and Meta's own number was not found: the stricter one.
_LONGEST_PAYLOAD = 128


def check_template(message: Mapping[str, object], templates: Collection[ApprovedTemplate]) -> None:
    """Raise RefusedError for what Meta would not take."""
    name = a_text(message.get("name"), "template.name", most=512)
    code = an_object(message.get("language"), "template.language").get("code")
    template = find(templates, name, code)
    if template is None:
        raise RefusedError(132001, f"template name ({name}) does not exist in {code}")
    components = a_list(message.get("components", []), "template.components", least=0, most=20)
    parts = [an_object(part, "template.components[]") for part in components]
    _check_body([part for part in parts if part.get("type") == "body"], template)
    _check_buttons([part for part in parts if part.get("type") == "button"], template)
    for part in parts:
        if part.get("type") not in {"body", "button"}:
            raise RefusedError(132012, f"The template has no component of type {part.get('type')!r}.")


def _check_body(parts: list[Mapping[str, object]], template: ApprovedTemplate) -> None:
    if len(parts) > 1:
        raise RefusedError(132012, "body: given more than once.")
    value = parts[0].get("parameters", []) if parts else []
    given = [an_object(one, "body.parameters[]") for one in a_list(value, "body.parameters", least=0, most=100)]
    expected = template.parameters
    if len(given) != len(expected):
        details = f"body: number of localizable_params ({len(given)}) does not match the expected number of params"
        raise RefusedError(132000, f"{details} ({len(expected)})")
    values = dict(_parameter(one) for one in given)
    if set(values) != set(expected):
        raise RefusedError(132012, f"body: parameter names {sorted(values)} do not match {sorted(expected)}.")
    if length(template.render(values)) > _LONGEST_BODY:
        raise RefusedError(132005, f"body: the filled text is longer than {_LONGEST_BODY} characters.")


def _parameter(parameter: Mapping[str, object]) -> tuple[str, str]:
    name, text = parameter.get("parameter_name"), parameter.get("text")
    if not isinstance(name, str) or not name:
        raise RefusedError(132012, "body: Parameter name is missing or empty.")
    if parameter.get("type") != "text" or not isinstance(text, str):
        raise RefusedError(132012, f"body: parameter {name} must be of type text.")
    if not text.strip():
        raise RefusedError(132018, f"body: parameter {name} must not be empty.")
    if _FORBIDDEN.search(text):
        raise RefusedError(132018, f"body: parameter {name} has a new-line, a tab or more than 4 spaces in a row.")
    return name, text


def _check_buttons(parts: list[Mapping[str, object]], template: ApprovedTemplate) -> None:
    seen: set[int] = set()
    for part in parts:
        index = _index(part, template)
        if index in seen:
            raise RefusedError(132012, f"buttons: index {index} given more than once.")
        seen.add(index)
        parameters = a_list(part.get("parameters"), f"buttons[{index}].parameters", least=1, most=1)
        parameter = an_object(parameters[0], f"buttons[{index}].parameters[0]")
        if parameter.get("type") != "payload":
            raise RefusedError(132012, f"buttons[{index}]: the parameter must be of type payload.")
        a_text(parameter.get("payload"), f"buttons[{index}].payload", most=_LONGEST_PAYLOAD)


def _index(part: Mapping[str, object], template: ApprovedTemplate) -> int:
    if part.get("sub_type") != "quick_reply":
        raise RefusedError(132012, f"buttons: the template has no button of sub_type {part.get('sub_type')!r}.")
    index = str(part.get("index", ""))
    if not (index.isascii() and index.isdigit() and int(index) < len(template.buttons)):
        raise RefusedError(132000, f"buttons: there is no button with index {index!r}.")
    return int(index)
