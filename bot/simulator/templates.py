"""The message templates that the stand-in counts as approved."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_PLACE = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovedTemplate:
    """A template with named parameters, as Meta would hold it: `body` has `{{name}}` where a value goes."""

    name: str
    language: str
    body: str
    parameters: tuple[str, ...] = ()
    buttons: tuple[str, ...] = ()

    def render(self, values: Mapping[str, str]) -> str:
        """The body as the customer reads it. A value is never expanded again."""
        return _PLACE.sub(lambda place: values.get(place[1], place[0]), self.body)


def find(templates: Iterable[ApprovedTemplate], name: object, language: object) -> ApprovedTemplate | None:
    """The template of exactly this name and language code; Meta falls back to no other."""
    return next((one for one in templates if one.name == name and one.language == language), None)


def named_values(components: object) -> dict[str, str]:
    """The body's values by parameter name, from the `components` of an accepted template message."""
    body = next((part for part in _objects(components) if part.get("type") == "body"), {})
    return {str(one.get("parameter_name")): str(one.get("text")) for one in _objects(body.get("parameters"))}


def payloads(components: object) -> dict[int, str]:
    """The quick replies' payloads by index, from the `components` of an accepted template message."""
    found: dict[int, str] = {}
    for part in _objects(components):
        if part.get("type") == "button":
            parameters = _objects(part.get("parameters"))
            found[int(str(part.get("index")))] = str(parameters[0].get("payload"))
    return found


def _objects(value: object) -> list[dict[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
