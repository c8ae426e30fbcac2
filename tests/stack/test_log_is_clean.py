"""Nothing in the log of a normal run carries a token, a secret, a phone, a name or a customer's words."""

import json
from datetime import timedelta

from tests.stack.told import told
from tests.stack.world import ANA, NOA, SECRET, TOKEN, VERIFY, Stack

LATER = "vie 4 dic, 17:00"


async def test_a_normal_run_tells_who_did_what_but_not_whom_or_what_was_said(bot: Stack) -> None:
    with told() as log:
        for person, last in ((ANA, "Confirmar"), (NOA, "Cancelar")):
            await bot.says(person, "hola")
            await bot.taps(person, LATER if person is ANA else bot.titles(person)[-3])
            bot.clock.travel((await bot.appointments())[-1].scheduled_at - timedelta(hours=24))
            await bot.scan()
            await bot.taps(person, last)
        await bot.http.get("/webhook", params={"hub.mode": "subscribe", "hub.verify_token": VERIFY + "x"})
        await bot.post(b"{}", signature="sha256=00")
        await bot.http.get("/readyz")
    lines = log.getvalue().splitlines()
    events = [json.loads(line) for line in lines]
    assert {"messages kept", "answered", "sent", "scanned"} <= {one["event"] for one in events}
    assert all("action" in one for one in events)
    phones = [str(row.whatsapp_number) for row in await bot.customers() if row.whatsapp_number]
    people = [ANA.user_id, NOA.user_id, "Ana", "Noa", str(NOA.username), *phones]
    words = ["hola", "Confirmar", "Cancelar", LATER, "Clase", "Robledo"]
    for secret in (SECRET, TOKEN, VERIFY, *people, *words):
        assert secret not in log.getvalue(), secret
