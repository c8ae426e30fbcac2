"""`confirmo templates status`."""

import json

from bot.core.appointment import Actor
from bot.store import attention, business_edit, business_parts, templates
from bot.store.appointments import Cause
from bot.store.database import Database
from tests.cli.conftest import Confirmo
from tests.cli.meta import ALL, OURS, Meta
from tests.conftest import NOW
from tests.store.rows import a_business


async def test_all_are_shown_as_meta_has_them(anywhere: Confirmo, meta: Meta) -> None:
    meta.say("WABA1/message_templates", "message_templates/200__paused_and_marketing")
    done = await anywhere("templates", "status", "--json", **ALL)

    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [row["template"] for row in rows] == OURS
    assert [row["status"] for row in rows] == ["PAUSED", "REJECTED", "APPROVED", "APPROVED", "ABSENT", "ABSENT"]
    assert [row["category"] for row in rows][2:4] == ["UTILITY", "MARKETING"]
    assert [row["fits"] for row in rows] == [True, True, True, True, None, None]


async def test_a_person_reads_columns(anywhere: Confirmo, meta: Meta) -> None:
    meta.say("WABA1/message_templates", "message_templates/200__other_wording")
    done = await anywhere("templates", "status", **ALL)

    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["kind", "language", "template", "status", "category", "fits"]
    assert [line[-1] for line in lines[1:]] == ["no", "no", "no", "–", "–", "–"]


async def test_the_business_s_own_names_are_asked_for(confirmo: Confirmo, db: Database, meta: Meta) -> None:
    assert meta.clock
    await a_business(db, "estudio")
    own = business_parts.settings(templates={"24h": {"es": ["hello_world/en_US", "cita/es_MX"]}})
    async with db.write() as session:
        await business_edit.edit(session, 1, own, cause=Cause(actor=Actor.STAFF), now=NOW)
    done = await confirmo("templates", "status", "--json", **ALL)

    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [(row["language"], row["template"], row["status"]) for row in rows[:3]] == [
        ("es", "hello_world/en_US", "APPROVED"),
        ("es", "cita/es_MX", "ABSENT"),
        ("pt_BR", OURS[1], "APPROVED"),
    ]


async def test_what_a_lost_webhook_would_have_said_is_kept(confirmo: Confirmo, db: Database, meta: Meta) -> None:
    await a_business(db, "estudio")
    meta.say("WABA1/message_templates", "message_templates/200__paused_and_marketing")
    await confirmo("templates", "status", **ALL)
    async with db.read() as session:
        choice = await templates.choice(session, 1)
        alarms = {one.kind for one in await attention.open_alarms(session)}
    paused = {("appointment_reminder_24h", "es"), ("appointment_reminder_24h", "pt_BR")}
    assert choice.unusable == paused
    assert alarms == {f"template:{name}:{code}" for name, code in paused}

    meta.say("WABA1/message_templates", "message_templates/200__first_page", "message_templates/200__last_page")
    await confirmo("templates", "status", **ALL)
    async with db.read() as session:
        assert (await templates.choice(session, 1)).unusable == frozenset()
        assert await attention.open_alarms(session) == []
