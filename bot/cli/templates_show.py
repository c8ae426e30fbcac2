"""`confirmo templates show`."""

from typing import Annotated

import typer

from bot.cli import table
from bot.whatsapp.templates import KINDS, LANGUAGES, Template, creation_json, definition


def show(
    as_json: Annotated[
        bool, typer.Option("--json", help="The bodies of the creation requests, one object a line.")
    ] = False,
) -> None:
    """Needs no settings."""
    every = [definition(kind, language) for kind in KINDS for language in LANGUAGES]
    if as_json:
        table.show_json(map(creation_json, every))
    else:
        typer.echo("\n\n".join(map(_text, every)))


def _text(template: Template) -> str:
    body = "\n".join(f"    {line}".rstrip() for line in template.body.strip().splitlines())
    buttons = " ".join(f"[{label}]" for label in template.buttons)
    return f"{template.name} · {template.language}\n\n{body}\n\n    {buttons}"
