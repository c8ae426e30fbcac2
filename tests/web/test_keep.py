"""What a webhook said is in the database when the 200 goes out, every element apart from its neighbours."""

import json
from dataclasses import replace
from datetime import timedelta

import httpx
import pytest

from bot.app import web
from bot.simulator.bodies import new_wamid
from bot.store.attention import open_alarms
from bot.store.database import Database
from bot.whatsapp.signature import sign
from tests.conftest import FIXTURES
from tests.services.process import free_port
from tests.stack.told import told
from tests.stack.world import ACCOUNT, ANA, NUMBER, SECRET, Stack
from tests.web import said


async def test_a_batch_is_kept_whole_and_in_order(doors: Stack) -> None:
    """2 entries × 2 changes × 3 messages, and three receipts beside them."""
    values = [
        said.value(*(said.text(f"wamid.{4 * n + k}", f"{k}") for k in range(3)), contacts=[said.contact()])
        for n in range(4)
    ]
    statuses = said.receipts(*(said.receipt(f"wamid.ours.{n}", "sent") for n in range(3)))
    batch = said.entries(said.body(*values[:2]), said.body(*values[2:]), statuses)
    assert (await doors.post(batch)).status_code == 200
    assert await doors.count("inbox") == 12
    assert await doors.count("receipts", "outbox_id IS NULL") == 3
    (customer,) = await doors.customers()
    assert customer.whatsapp_number == said.PHONE
    in_order = [f"wamid.{4 * n + k}" for n in range(4) for k in range(3)]
    assert await kept(doors) == in_order


async def test_the_same_message_again_is_nothing_new(doors: Stack) -> None:
    for _ in range(3):
        assert (await doors.post(said.body(said.value(said.text())))).status_code == 200
    changed = said.body(said.value(said.text(words="otra cosa"), said.text("wamid.2")))
    assert (await doors.post(changed)).status_code == 200
    assert await kept(doors) == ["wamid.1", "wamid.2"]
    assert "hola" in str(await doors.value("SELECT raw FROM inbox WHERE message_id = 'wamid.1'"))


async def test_what_the_database_refuses_costs_only_itself(doors: Stack) -> None:
    await refuse(doors, "wamid.bad")
    messages = [said.text("wamid.before"), said.text("wamid.bad", "mi secreto"), said.text("wamid.after")]
    with told() as log:
        assert (await doors.post(said.body(said.value(*messages)))).status_code == 200
    assert await kept(doors) == ["wamid.before", "wamid.after"]
    assert "element set aside" in log.getvalue()
    assert "mi secreto" not in log.getvalue()
    assert said.PHONE not in log.getvalue()


async def test_an_unknown_receipt_does_not_take_its_neighbour_along(doors: Stack) -> None:
    both = said.value(said.text(words="confirmo"), statuses=[said.receipt("wamid.never-sent", "read"), None, 7])
    assert (await doors.post(said.body(both))).status_code == 200
    assert await kept(doors) == ["wamid.1"]


@pytest.mark.parametrize("number", ["199999999999999", ""])
async def test_a_message_for_another_number_leaves_no_trace(door: Stack, number: str) -> None:
    assert (await door.post(said.body(said.value(said.text(), number=number)))).status_code == 200
    without = said.value(said.text("wamid.2"))
    del without["metadata"]
    assert (await door.post(said.body(without))).status_code == 200
    assert (await door.post(said.body(said.value(said.text("wamid.3", group_id="g.1"))))).status_code == 200
    assert await door.count("inbox") == await door.count("customers") == 0


async def test_a_database_that_is_down_is_a_5xx_so_that_meta_tries_again(door: Stack) -> None:
    for url in (f"postgresql+asyncpg://u:sekret@127.0.0.1:{free_port()}/x",):
        db = Database(url)
        answer = await ask(door, db, said.body(said.value(said.text())))
        await db.close()
        assert (answer.status_code, answer.text) == (503, "later")
    assert (await door.post(said.body(said.value(said.text())))).status_code == 200
    assert await kept(door) == ["wamid.1"]


async def test_names_and_words_are_stored_the_same_on_both_databases(doors: Stack) -> None:
    raw = said.body(
        said.value(said.text(words="hola \ud83d\x00\x07\x1b[31m"), contacts=[said.contact("Ana\x00 \ud83d")])
    )
    assert (await doors.post(json.dumps(raw).encode())).status_code == 200
    (customer,) = await doors.customers()
    assert customer.name == "Ana"
    stored = json.loads(str(await doors.value("SELECT raw FROM inbox")))
    assert stored["text"]["body"].encode("utf-8", "surrogatepass")  # as received, but storable
    assert "\x00" not in str(await doors.value("SELECT raw FROM inbox"))


NAMES = {
    "x" * 300: "x" * 120,
    "  \n\t ": "",
    "🦄🦄🦄": "🦄🦄🦄",
    "{{1}}": "{{1}}",
    "José\u0301": "José\u0301",
    "عمر": "عمر",
    "*Ana* _x_ ~y~": "*Ana* _x_ ~y~",
    "Ana\r\nATTENDEE:x": "Ana ATTENDEE:x",
    "\u202eanA": "anA",
    "\u3164\u200b\u2800": "",
    "👩\u200d👧" * 40: "👩\u200d👧" * 24,
}


async def test_odd_names_are_kept_in_one_line(door: Stack) -> None:
    for number, name in enumerate(NAMES):
        phone = f"52155500020{number:02d}"
        message = {**said.text(f"wamid.{number}"), "from": phone}
        assert (
            await door.post(said.body(said.value(message, contacts=[said.contact(name, phone)])))
        ).status_code == 200
    assert [one.name for one in await door.customers()] == list(NAMES.values())


async def test_an_echo_mutes_the_bot_but_not_the_taps(bot: Stack) -> None:
    await bot.says(ANA, "hola")
    echo = {
        "from": "15550001234",
        "to": ANA.wa_id,
        "id": new_wamid(),
        "timestamp": said.AT,
        "type": "text",
        "text": {"body": "Hola"},
    }
    value = {"messaging_product": "whatsapp", "metadata": {"phone_number_id": NUMBER}, "message_echoes": [echo]}
    assert (await bot.post(said.body(value, field="smb_message_echoes"))).status_code == 200
    await bot.says(ANA, "hola otra vez")
    assert len(bot.taken(ANA)) == 1
    await bot.taps(ANA, bot.titles(ANA)[0])
    assert await bot.count("appointments") == 1
    by_id = {**echo, "to": None, "to_user_id": ANA.user_id, "id": new_wamid()}
    await bot.change("UPDATE customers SET muted_until = NULL")
    assert (
        await bot.post(said.body({**value, "message_echoes": [by_id]}, field="smb_message_echoes"))
    ).status_code == 200
    assert await bot.count("customers", "muted_until IS NOT NULL") == 1


def echoed(wamid: str, at: str = said.AT) -> said.Json:
    """Somebody of the business wrote to Ana in the phone app."""
    text = {"from": "15550001234", "to": ANA.wa_id, "id": wamid, "timestamp": at, "type": "text", "text": {"body": "?"}}
    value = {"messaging_product": "whatsapp", "metadata": {"phone_number_id": NUMBER}, "message_echoes": [text]}
    return said.body(value, field="smb_message_echoes")


async def test_after_an_echo_a_yes_does_not_answer_the_bot(bot: Stack) -> None:
    """What a person asked since then was perhaps answered; the bot's own question was not."""
    await bot.says(ANA, "hola")
    await bot.taps(ANA, bot.titles(ANA)[0])
    await bot.says(ANA, "cancelar")
    assert "¿Cancelo" in bot.last(ANA).text
    await bot.post(echoed(new_wamid(), str(int(bot.clock.now().timestamp()))))
    await bot.change("UPDATE customers SET muted_until = NULL")
    await bot.says(ANA, "sí")
    assert (await bot.appointment()).status != "CANCELLED"


async def test_an_echo_of_what_we_sent_ourselves_is_nobody_s_answer(bot: Stack) -> None:
    await bot.says(ANA, "hola")
    assert (await bot.post(echoed(bot.taken(ANA)[0].wamid))).status_code == 200
    assert await bot.count("customers", "muted_until IS NOT NULL") == 0


async def test_an_old_echo_does_not_shorten_the_quiet(bot: Stack) -> None:
    await bot.says(ANA, "hola")
    await bot.post(echoed(new_wamid()))
    until = await bot.value("SELECT muted_until FROM customers")
    await bot.post(echoed(new_wamid(), str(int(said.AT) - 3600)))
    assert await bot.value("SELECT muted_until FROM customers") == until


async def test_an_echo_to_a_stranger_or_for_another_number_changes_nothing(door: Stack) -> None:
    echo = {
        "from": "15550001234",
        "to": "5215559999999",
        "id": new_wamid(),
        "timestamp": said.AT,
        "type": "text",
        "text": {"body": "x"},
    }
    for number in (NUMBER, "199999999999999"):
        value = {"metadata": {"phone_number_id": number}, "message_echoes": [echo]}
        assert (await door.post(said.body(value, field="smb_message_echoes"))).status_code == 200
    assert await door.count("customers") == 0


def template(field: str, **told: object) -> said.Json:
    value = {
        "message_template_id": 1,
        "message_template_name": "appointment_reminder_24h",
        "message_template_language": "es",
        **told,
    }
    return said.body(value, field=field)


async def test_a_paused_template_is_an_alarm_until_it_is_approved(door: Stack) -> None:
    paused = template("message_template_status_update", event="PAUSED", reason="LOW_QUALITY")
    for _ in range(2):
        assert (await door.post(paused)).status_code == 200
    assert await alarms(door) == {"template:appointment_reminder_24h:es": "PAUSED LOW_QUALITY"}
    assert await door.count("template_states", "status = 'PAUSED' AND reason = 'LOW_QUALITY'") == 1
    await door.post(template("message_template_status_update", event="APPROVED", reason=None))
    assert await alarms(door) == {}
    assert (await door.post(said.body({"event": "PAUSED"}, field="message_template_status_update"))).status_code == 200


async def test_a_template_that_becomes_marketing_or_bad_is_an_alarm(door: Stack) -> None:
    await door.post(template("template_category_update", correct_category="MARKETING", new_category="UTILITY"))
    await door.post(
        template("message_template_quality_update", previous_quality_score="GREEN", new_quality_score="RED")
    )
    assert set(await alarms(door)) == {"category:appointment_reminder_24h:es", "quality:appointment_reminder_24h:es"}
    await door.post(template("template_category_update", previous_category="MARKETING", new_category="UTILITY"))
    await door.post(
        template("message_template_quality_update", previous_quality_score="RED", new_quality_score="GREEN")
    )
    assert await alarms(door) == {}


async def test_a_paused_template_keeps_its_reminders_back(bot: Stack) -> None:
    await bot.says(ANA, "hola")
    await bot.taps(ANA, "vie 4 dic, 17:00")
    for code in ("es", "es_MX", "pt_BR", "en", "en_US"):
        paused = template("message_template_status_update", event="DISABLED", message_template_language=code)
        await bot.post(paused)
    bot.clock.travel((await bot.appointment()).scheduled_at - timedelta(hours=24))
    await bot.scan()
    (row,) = await bot.outbox("24h")
    assert (row.state, row.reason) == ("skipped", "template_paused")
    assert not (await bot.appointment()).reminder_24h_sent
    assert len(bot.taken(ANA)) == 2


async def test_another_account_s_template_is_not_ours(door: Stack) -> None:
    body = template("message_template_status_update", event="PAUSED", reason="x")
    body["entry"][0]["id"] = f"{ACCOUNT}9"
    assert (await door.post(body)).status_code == 200
    assert await door.count("template_states") == await door.count("alarms") == 0


async def test_a_referral_is_kept(door: Stack) -> None:
    raw = (FIXTURES / "webhooks" / "messages" / "text__ad_referral.json").read_bytes()
    assert (await door.post(raw)).status_code == 200
    (customer,) = await door.customers()
    assert "source_id" in json.loads(customer.referral or "{}")


async def kept(door: Stack) -> list[str]:
    """The wamids in the order in which they will be handled."""
    query = "SELECT {} FROM (SELECT message_id FROM inbox ORDER BY sent_at, received_at, position) AS ordered"
    joined = "group_concat(message_id)" if door.runtime.db.dialect == "sqlite" else "string_agg(message_id, ',')"
    return str(await door.value(query.format(joined))).split(",")


async def alarms(door: Stack) -> dict[str, str]:
    async with door.runtime.db.read() as session:
        return {row.kind: row.detail for row in await open_alarms(session)}


async def refuse(door: Stack, wamid: str) -> None:
    """A database that cannot take this one row."""
    if door.runtime.db.dialect == "sqlite":
        await door.change(
            f"CREATE TRIGGER no_bad BEFORE INSERT ON inbox WHEN NEW.message_id = '{wamid}' "
            "BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    else:
        await door.change(f"ALTER TABLE inbox ADD CONSTRAINT no_bad CHECK (message_id <> '{wamid}')")


async def test_a_path_before_the_webhook_is_no_part_of_it(door: Stack) -> None:
    """As with uvicorn's --root-path, behind a proxy that several programs share."""
    raw = json.dumps(said.body(said.value(said.text()))).encode()
    transport = httpx.ASGITransport(web(door.runtime), root_path="/bot")
    async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
        signed = {"X-Hub-Signature-256": sign(SECRET, raw)}
        assert (await client.post("/bot/webhook", content=raw, headers=signed)).status_code == 200
    assert await door.count("inbox") == 1


async def ask(door: Stack, db: Database, body: said.Json) -> httpx.Response:
    """The same web on another database."""
    app = web(replace(door.runtime, db=db))
    raw = json.dumps(body).encode()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
        return await client.post("/webhook", content=raw, headers={"X-Hub-Signature-256": sign(SECRET, raw)})
