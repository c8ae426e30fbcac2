"""`confirmo doctor`: what it asks Meta, and what it says to do."""

import re

import httpx
import pytest

from bot.cli import check_meta
from bot.store.database import Database
from tests.cli.conftest import Confirmo
from tests.cli.meta import ALL, TOKEN, Meta, later
from tests.store.rows import a_business

TEMPLATES = "WABA1/message_templates"
APPS = "WABA1/subscribed_apps"


async def lines(confirmo: Confirmo, **settings: str) -> dict[str, str]:
    """What each check said, by its name; nothing secret stands anywhere."""
    done = await confirmo("doctor", **{**ALL, **settings})
    assert TOKEN not in done.out + done.err
    said = [[*line[9:].split(": ", 1), line[:8].strip()] for line in done.out.splitlines()]
    assert done.code == int(any(health == "WRONG" for _, _, health in said))
    return {what: f"{health} {rest}" for what, rest, health in said}


async def test_all_is_well(confirmo: Confirmo, db: Database, meta: Meta) -> None:
    assert meta.created == []
    await a_business(db, "estudio")
    said = await lines(confirmo)
    assert said["business"] == "OK Estudio Tule, America/Mexico_City"
    assert said["token"] == "OK Meta takes it"
    assert said["number"] == "OK +1 555-000-0001"
    assert said["template 24h"] == said["template 2h"] == "OK approved in es, pt_BR, en"
    assert said["webhooks"].startswith("OK go to Confirmo Prueba")
    assert said["clock at Meta"] == "OK agrees with this machine's"
    assert meta.created == []


@pytest.mark.parametrize(
    ("answer", "token"),
    [
        ("phone_number/400__190_malformed", "WRONG Meta does not take the token (190): make a new one"),
        ("messages/401__190", "WRONG Meta does not take the token (190): make a new one"),
        ("phone_number/403__200", "WRONG Meta misses a permission (200): the token needs whatsapp_business_messaging"),
    ],
)
async def test_a_token_that_is_not_taken_is_the_only_fault(
    confirmo: Confirmo, meta: Meta, answer: str, token: str
) -> None:
    for edge in ("PNID1", TEMPLATES, APPS):
        meta.say(edge, answer)
    said = await lines(confirmo)
    assert said["token"].startswith(token)
    unknown = "UNKNOWN cannot be known before the token is right"
    assert [said[what] for what in ("number", "templates", "webhooks")] == [unknown] * 3
    assert said["clock at Meta"].startswith("UNKNOWN")


async def test_a_right_for_messages_only_is_told(confirmo: Confirmo, meta: Meta) -> None:
    meta.say(TEMPLATES, "phone_number/403__200")
    said = await lines(confirmo)
    assert said["token"].startswith("WRONG Meta misses a permission (200)")
    assert said["number"].startswith("OK")
    assert said["templates"].startswith("UNKNOWN")
    assert said["webhooks"].startswith("OK")


async def test_another_number_or_account_is_told(confirmo: Confirmo, meta: Meta) -> None:
    meta.say("PNID1", "phone_number/400__100")
    meta.say(APPS, "phone_number/400__100")
    said = await lines(confirmo)
    assert said["token"] == "OK Meta takes it"
    assert said["number"].startswith("WRONG Meta shows none of that id (100): compare WHATSAPP_PHONE_NUMBER_ID with")
    assert said["webhooks"].startswith("WRONG Meta shows none of that id (100): compare WHATSAPP_BUSINESS_ACCOUNT_ID")
    assert said["template 24h"].startswith("OK")


async def test_metas_own_words_are_shown_on_one_line_and_without_the_token(confirmo: Confirmo, meta: Meta) -> None:
    meta.say("PNID1", "phone_number/500__odd")
    assert (await lines(confirmo))["number"] == "WRONG Meta refuses it (777777): Something odd about … happened"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (httpx.ConnectError("no route"), "https://graph.test cannot be reached (ConnectError): look at the network"),
        (httpx.ReadTimeout("late"), "no usable answer from https://graph.test (ReadTimeout): try again"),
    ],
)
async def test_a_network_that_is_away_is_told_by_each_check(
    confirmo: Confirmo, meta: Meta, error: Exception, said: str
) -> None:
    for edge in ("PNID1", TEMPLATES, APPS):
        meta.say(edge, error)
    found = await lines(confirmo)
    assert all(found[what].startswith(f"WRONG {said}") for what in ("token", "number", "templates", "webhooks"))
    assert found["database"].startswith("OK")
    assert found["queue"].startswith("OK")


async def test_one_question_without_an_answer_spoils_no_other(confirmo: Confirmo, meta: Meta) -> None:
    meta.say(APPS, httpx.ReadTimeout("late"))
    said = await lines(confirmo)
    assert said["webhooks"].startswith("WRONG no usable answer")
    assert [said[what].split()[0] for what in ("token", "number", "template 24h", "clock at Meta")] == ["OK"] * 4


async def test_an_account_that_nobody_hears_is_wrong(confirmo: Confirmo, meta: Meta) -> None:
    meta.say(APPS, "subscribed_apps/200__none")
    assert (await lines(confirmo))["webhooks"].startswith("WRONG no app hears this account: subscribe yours")


async def test_templates_that_are_absent_are_wrong(confirmo: Confirmo, meta: Meta) -> None:
    meta.say(TEMPLATES, "message_templates/200__none")
    said = await lines(confirmo)
    assert said["template 24h"] == (
        "WRONG none can be sent: appointment_reminder_24h/es does not exist, `confirmo templates push` hands it in"
    )
    assert said["template 2h"].startswith("WRONG none can be sent: appointment_reminder_2h/es")


async def test_another_language_instead_is_a_warning_and_so_is_marketing(confirmo: Confirmo, meta: Meta) -> None:
    meta.say(TEMPLATES, "message_templates/200__paused_and_marketing")
    said = await lines(confirmo)
    assert said["template 24h"] == (
        "WARNING customers get en instead of es: appointment_reminder_24h/es is PAUSED, WhatsApp Manager says why"
    )
    assert said["template 2h"].startswith("WARNING Meta counts appointment_reminder_2h/es as marketing")


async def test_a_template_of_another_form_is_wrong(confirmo: Confirmo, meta: Meta) -> None:
    meta.say(TEMPLATES, "message_templates/200__other_wording")
    assert (await lines(confirmo))["template 24h"] == (
        "WRONG none can be sent: appointment_reminder_24h/es does not take name, service, when, business "
        "or has not three quick replies"
    )


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, r"OK agrees"),
        (4, r"OK agrees"),
        (-4, r"OK agrees"),
        (90, r"WRONG this machine is (90|8\d) s behind it: set its clock by NTP"),
        (-3600, r"WRONG this machine is 3599 s ahead of it: set its clock by NTP"),
    ],
)
async def test_the_clock_is_compared_with_metas(confirmo: Confirmo, meta: Meta, seconds: int, said: str) -> None:
    meta.clock = later(seconds)
    assert re.match(said, (await lines(confirmo))["clock at Meta"])


async def test_without_its_time_the_clock_is_unknown(confirmo: Confirmo, meta: Meta) -> None:
    meta.clock = None
    assert (await lines(confirmo))["clock at Meta"] == "UNKNOWN Meta told no time"


async def test_without_settings_nothing_is_asked_and_it_says_so(confirmo: Confirmo) -> None:
    said = await lines(confirmo, WHATSAPP_ACCESS_TOKEN=" ", WHATSAPP_PHONE_NUMBER_ID="")
    unasked = "UNKNOWN not asked: WHATSAPP_ACCESS_TOKEN and WHATSAPP_PHONE_NUMBER_ID not set"
    assert [said[what] for what in ("token", "number", "templates", "webhooks", "clock at Meta")] == [unasked] * 5
    assert said["settings"].startswith("WRONG WHATSAPP_ACCESS_TOKEN, WHATSAPP_PHONE_NUMBER_ID are not set")


async def test_pages_without_end_are_given_up(confirmo: Confirmo, meta: Meta, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_meta, "ALL_PAGES_SECONDS", 0)
    meta.say(TEMPLATES, "message_templates/200__first_page")
    said = await lines(confirmo)
    assert said["templates"].startswith("WRONG no usable answer from https://graph.test (TimeoutError)")
    assert said["webhooks"].startswith("OK")
