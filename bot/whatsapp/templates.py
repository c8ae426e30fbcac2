"""The reminder templates: what Meta must approve, which one a customer gets, and how it reads when filled."""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from bot.whatsapp.outbound import Unsendable, parameter

PARAMETERS = ("name", "service", "when", "business")
KINDS = ("24h", "2h")
# Also the order of the last resort.
LANGUAGES = ("es", "pt_BR", "en")

_EXAMPLES = {
    "es": {"name": "Ana", "service": "Corte", "when": "viernes 4 de diciembre, 17:00", "business": "Peluquería Sol"},
    "pt_BR": {"name": "Ana", "service": "Corte", "when": "sexta-feira, 4 de dezembro, 17:00", "business": "Salão Sol"},
    "en": {"name": "Ana", "service": "Haircut", "when": "Friday 4 December, 17:00", "business": "Sun Barbers"},
}
_VARIABLE = re.compile(r"\{\{(\w+)\}\}")

# (kind, language of ours) → (name, code) as the business had them approved, the first choice first
Overrides = Mapping[tuple[str, str], Sequence[tuple[str, str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A template with the name and language code to send it by; `buttons` are Confirm, Change, Cancel."""

    kind: str
    name: str
    language: str
    body: str
    buttons: tuple[str, ...]
    examples: Mapping[str, str]


@cache
def _definitions() -> Mapping[tuple[str, str], Template]:
    data = tomllib.loads(files("bot.whatsapp").joinpath("templates.toml").read_text(encoding="utf-8"))
    return {
        (kind, language): Template(
            kind=kind,
            name=data[kind]["name"],
            language=language,
            body=data[kind][language]["body"],
            buttons=tuple(data[kind][language]["buttons"]),
            examples=_EXAMPLES[language],
        )
        for kind in KINDS
        for language in LANGUAGES
    }


def definition(kind: str, language: str) -> Template:
    """The template of `kind` (`24h`, `2h`) in one of LANGUAGES; KeyError for any other."""
    return _definitions()[kind, language]


def pick(
    kind: str,
    languages: Iterable[str | None],
    *,
    overrides: Overrides | None = None,
    unusable: Collection[tuple[str, str]] = (),
    avoided: Collection[tuple[str, str]] = (),
) -> Template | None:
    """The first usable template in the order customer's language, business's language, any.

    `unusable` holds (name, code) pairs that are paused, disabled or not approved; None when nothing is left. `avoided`
    ones (now marketing to Meta) are taken only when there is no other.
    """
    known = [one for language in _in_order(languages) for one in candidates(kind, language, overrides or {})]
    usable = [one for one in known if (one.name, one.language) not in unusable]
    usable.sort(key=lambda one: (one.name, one.language) in avoided)
    return usable[0] if usable else None


def candidates(kind: str, language: str, overrides: Overrides) -> Iterator[Template]:
    """The business's own ones for that language, the first choice first, else ours."""
    ours = definition(kind, language)
    for name, code in overrides.get((kind, language), [(ours.name, ours.language)]):
        yield replace(ours, name=name, language=code)


def _in_order(languages: Iterable[str | None]) -> Iterator[str]:
    wanted = [(language or "").replace("-", "_").lower()[:2] for language in languages]
    ours = [language for want in wanted for language in LANGUAGES if language[:2] == want]
    yield from dict.fromkeys((*ours, *LANGUAGES))


def variables(body: str) -> list[str]:
    """The names of the parameters that a text takes, in its order."""
    return _VARIABLE.findall(body)


def creation_json(template: Template) -> dict[str, object]:
    """The body of `POST /{WABA}/message_templates`."""
    examples = [{"param_name": key, "example": template.examples[key]} for key in variables(template.body)]
    return {
        "name": template.name,
        "language": template.language,
        "category": "UTILITY",
        "parameter_format": "named",
        "components": [
            {"type": "BODY", "text": template.body, "example": {"body_text_named_params": examples}},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": label} for label in template.buttons]},
        ],
    }


def render(template: Template, parameters: Mapping[str, str]) -> str:
    """The text that the customer will read: for the phone page and for staff. Raises Unsendable for a missing one."""

    def fill(match: re.Match[str]) -> str:
        if match[1] not in parameters:
            raise Unsendable(f"template parameter {match[1]} is missing")
        return parameter(parameters[match[1]])

    return _VARIABLE.sub(fill, template.body)
