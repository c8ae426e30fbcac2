"""The stand-in's account: what it takes up for review, and the real commands against it on a real port."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.clock import TravelClock
from bot.simulator.account import check_creation
from bot.simulator.refusals import RefusedError
from bot.whatsapp.templates import KINDS, LANGUAGES, creation_json, definition
from tests.cli.conftest import Confirmo, anywhere, folder
from tests.conftest import NOW
from tests.simulator.world import NUMBER, TOKEN, world

__all__ = ["anywhere", "folder"]  # fixtures
ACCOUNT = "200000000000201"
EVERY = [creation_json(definition(kind, language)) for kind in KINDS for language in LANGUAGES]


def settings(url: str, **more: str) -> dict[str, str]:
    return {
        "WHATSAPP_APP_SECRET": "s",
        "WHATSAPP_VERIFY_TOKEN": "v",
        "WHATSAPP_ACCESS_TOKEN": TOKEN,
        "WHATSAPP_PHONE_NUMBER_ID": NUMBER,
        "WHATSAPP_BUSINESS_ACCOUNT_ID": ACCOUNT,
        "WHATSAPP_GRAPH_URL": f"{url}/graph",
        **more,
    }


@pytest.mark.parametrize("template", EVERY, ids=lambda one: f"{one['name']}-{one['language']}")
def test_our_own_templates_are_taken(template: dict[str, Any]) -> None:
    check_creation(template, [])


def spoilt(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    template: dict[str, Any] = creation_json(definition("24h", "es"))
    change(template)
    return template


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda one: one.update(name="Con Mayúsculas"), 100),
        (lambda one: one.update(category="REMINDER"), 100),
        (lambda one: one.update(components=[]), 131009),
        (lambda one: one["components"][0].update(text="{{name}} viene"), 2388299),
        (lambda one: one["components"][0].update(text="Hola {{name}}{{service}} {{when}} {{business}}."), 100),
        (lambda one: one["components"][0].update(text="x" * 1025), 131009),
        (lambda one: one["components"][0].pop("example"), 100),
        (lambda one: one["components"][1]["buttons"][0].update(text="x" * 26), 131009),
    ],
)
def test_what_meta_refuses_is_refused(change: Callable[[dict[str, Any]], object], code: int) -> None:
    with pytest.raises(RefusedError) as caught:
        check_creation(spoilt(change), [])
    assert caught.value.refusal.code == code


def test_a_template_is_not_taken_twice() -> None:
    with pytest.raises(RefusedError, match="already"):
        check_creation(EVERY[0], EVERY[:1])


async def test_the_commands_against_it(anywhere: Confirmo) -> None:
    async with world(TravelClock(NOW)) as here:
        before = await anywhere("doctor", **settings(here.url))
        pushed = await anywhere("templates", "push", **settings(here.url))
        again = await anywhere("templates", "push", **settings(here.url))
        after = await anywhere("doctor", **settings(here.url))
        shown = await anywhere("templates", "status", **settings(here.url))
        wrong = await anywhere("doctor", **settings(here.url, WHATSAPP_ACCESS_TOKEN="another"))
        other = await anywhere("doctor", **settings(here.url, WHATSAPP_PHONE_NUMBER_ID="1"))
    assert "OK       template 24h: approved in es; not in pt_BR, en" in before.out
    assert "WRONG    template 2h: none can be sent: appointment_reminder_2h/es does not exist" in before.out
    assert "OK       number: 15550001234" in before.out
    assert (pushed.code, pushed.out.count("there "), pushed.out.count("handed in ")) == (0, 1, 5)
    assert (again.code, again.out.count("there "), again.out.count("handed in ")) == (0, 6, 0)
    assert "appointment_reminder_2h/es is PENDING" in after.out
    assert shown.out.count("PENDING") == 5
    assert "WRONG    token: Meta does not take the token (190)" in wrong.out
    assert "WRONG    number: Meta shows none of that id (100)" in other.out


async def test_many_templates_come_in_pages(anywhere: Confirmo) -> None:
    async with world(TravelClock(NOW)) as here:
        here.standin.account.held[:0] = [{"name": f"t{number}", "language": "es"} for number in range(250)]
        pushed = await anywhere("templates", "push", **settings(here.url))
    assert pushed.out.startswith("there     appointment_reminder_24h/es: APPROVED\n")
