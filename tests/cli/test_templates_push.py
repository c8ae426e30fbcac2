"""`confirmo templates push`."""

import httpx
import pytest

from tests.cli.conftest import Confirmo
from tests.cli.meta import ALL, OURS, TOKEN, Meta


async def test_an_empty_account_gets_all_six_and_a_second_push_adds_none(anywhere: Confirmo, meta: Meta) -> None:
    meta.say("WABA1/message_templates", "message_templates/200__none")
    done = await anywhere("templates", "push", **ALL)

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [f"handed in {name}: PENDING" for name in OURS]
    assert [f"{one['name']}/{one['language']}" for one in meta.created] == OURS
    meta.say("WABA1/message_templates", "message_templates/200__first_page", "message_templates/200__last_page")
    again = await anywhere("templates", "push", **ALL)
    assert (again.code, again.out.splitlines()) == (0, [f"there     {name}: APPROVED" for name in OURS])
    assert len(meta.created) == len(OURS)


async def test_what_is_there_is_told_and_only_the_rest_is_handed_in(anywhere: Confirmo, meta: Meta) -> None:
    meta.say("WABA1/message_templates", "message_templates/200__paused_and_marketing")
    done = await anywhere("templates", "push", **ALL)

    assert done.out.splitlines()[:2] == [f"there     {OURS[0]}: PAUSED", f"there     {OURS[1]}: REJECTED"]
    assert [f"{one['name']}/{one['language']}" for one in meta.created] == OURS[4:]


async def test_one_that_is_refused_holds_up_no_other(anywhere: Confirmo, meta: Meta) -> None:
    meta.say("WABA1/message_templates", "message_templates/200__none")
    lost = httpx.ReadTimeout("no answer")
    refused, created = "message_templates/400__not_created", "message_templates/200__created"
    meta.say("+WABA1/message_templates", refused, lost, created)
    done = await anywhere("templates", "push", **ALL)

    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0] == (
        f"refused   {OURS[0]}: Meta refuses it (100): Variables can't be at the start or end of the template."
    )
    assert lines[1].startswith(f"refused   {OURS[1]}: no usable answer from https://graph.test (ReadTimeout)")
    assert lines[2:] == [f"handed in {name}: PENDING" for name in OURS[2:]]


@pytest.mark.parametrize("command", ["push", "status"])
async def test_nothing_is_handed_in_when_meta_does_not_say_what_is_there(
    anywhere: Confirmo, meta: Meta, command: str
) -> None:
    meta.say("WABA1/message_templates", "phone_number/400__190_malformed")
    done = await anywhere("templates", command, **ALL)

    assert (done.code, done.out, meta.created) == (1, "", [])
    assert done.err == "confirmo: Meta does not take the token (190): make a new one for the system user\n"
    assert TOKEN not in done.err


@pytest.mark.parametrize("command", ["push", "status"])
async def test_what_it_needs_is_named(anywhere: Confirmo, command: str) -> None:
    done = await anywhere("templates", command)
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "WHATSAPP_ACCESS_TOKEN, WHATSAPP_BUSINESS_ACCOUNT_ID are not set" in done.err
