"""`confirmo templates show`."""

import json

from bot.whatsapp.templates import KINDS, LANGUAGES, creation_json, definition
from tests.cli.conftest import Confirmo

EVERY = [definition(kind, language) for kind in KINDS for language in LANGUAGES]


async def test_every_template_can_be_read(anywhere: Confirmo) -> None:
    done = await anywhere("templates", "show")

    assert done.code == 0
    for template in EVERY:
        assert f"{template.name} · {template.language}\n" in done.out
        assert " ".join(f"[{label}]" for label in template.buttons) in done.out
        assert " ".join(template.body.split()) in " ".join(done.out.split())


async def test_json_is_what_creates_them(anywhere: Confirmo) -> None:
    done = await anywhere("templates", "show", "--json")

    assert [json.loads(line) for line in done.out.splitlines()] == [creation_json(template) for template in EVERY]
