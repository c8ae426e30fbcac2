"""The phone page in Chromium: what a visitor does goes out, what the business does shows, on both sizes of window."""

from datetime import timedelta
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, expect

from bot.simulator.phones import FIRST_PEOPLE
from tests.browser.phone_page import DESKTOP, PHONE, PhonePage, visit
from tests.simulator.desk import LUCIA, Desk
from tests.simulator.world import Body, World, reminder, rows, text, until

pytestmark = pytest.mark.browser

SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
SCRIPT = "<img src=x onerror=document.title='broken'>"


def to_lucia(body: Body) -> Body:
    return body | {"to": LUCIA.wa_id}


async def greet(page: PhonePage, demo: World) -> None:
    await page.type("hola")
    await expect(page.part("ticks").last).to_have_attribute("data-status", "delivered")
    demo.hook.bodies.clear()


def appointment(demo: World, status: str = "SCHEDULED") -> dict[str, Any]:
    start = demo.clock.now() + timedelta(days=3)
    due = {kind: (start - timedelta(hours=hours)).isoformat() for kind, hours in (("24h", 24), ("2h", 2))}
    reminders = [
        {"kind": kind, "state": "due", "reason": None, "due_at": at, "moved": False} for kind, at in due.items()
    ]
    return {
        "id": 7,
        "service": "Corte",
        "staff": "Marta",
        "attendee": None,
        "starts_at": start.isoformat(),
        "status": status,
        "version": 1,
        "reminders": reminders,
    }


@SIZES
async def test_a_visitor_chooses_from_a_list_with_the_keyboard_alone(
    browser: Browser, demo: World, size: tuple[int, int]
) -> None:
    async with visit(browser, demo.url, size) as page:
        await expect(page.part("hint")).to_contain_text("Escribe hola para empezar")
        await greet(page, demo)
        await demo.send(to_lucia(rows()))

        await page.part("open-list").focus()
        for key in ("Enter", "Space", "ArrowDown", "Enter"):
            await page.page.keyboard.press(key)

        await expect(page.part("message-out").last.get_by_test_id("text")).to_contain_text("Dos")
        await until(lambda: bool(demo.hook.values("messages")))
        assert demo.hook.values("messages")[0]["interactive"]["list_reply"] == {"id": "two", "title": "Dos"}
        await expect(page.part("open-list")).to_be_focused()


@SIZES
async def test_a_reminder_is_read_tapped_and_tapped_again(browser: Browser, demo: World, size: tuple[int, int]) -> None:
    async with visit(browser, demo.url, size) as page:
        await demo.send(to_lucia(reminder()))
        await expect(page.part("message-in").get_by_test_id("text")).to_contain_text("Hola Ana: Corte")
        await until(lambda: "read" in demo.hook.states())

        await page.tap("Confirmar")
        await expect(page.part("message-out")).to_have_count(1)
        await page.tap("Confirmar")
        await expect(page.part("message-out")).to_have_count(2)

        await until(lambda: len(demo.hook.values("messages")) == 2)
        assert {one["button"]["payload"] for one in demo.hook.values("messages")} == {"confirm:7:1"}
        await expect(page.part("message-out").last.get_by_test_id("quote")).to_contain_text("Hola Ana")


@SIZES
async def test_appointments_and_time_are_in_reach(
    browser: Browser, demo: World, desk: Desk, size: tuple[int, int]
) -> None:
    async with visit(browser, demo.url, size) as page:
        await page.open_panel()
        await expect(page.part("no-appointments")).to_be_visible()
        await expect(page.part("to-24h")).to_be_disabled()
        await expect(page.part("clock")).to_contain_text("Tuesday, December 1")

        desk.appointments.append(appointment(demo))
        await expect(page.part("status")).to_have_text("SCHEDULED")
        await expect(page.part("reminder-24h")).to_contain_text("due Thu, Dec 3, 10:00 AM")
        due = demo.clock.now() + timedelta(days=2)
        await page.part("to-24h").click()
        await expect(page.part("clock")).to_contain_text("Thursday, December 3")
        assert due - timedelta(seconds=10) < demo.clock.now() < due + timedelta(seconds=10)

        desk.appointments[0] = appointment(demo, "CONFIRMED")
        await expect(page.part("status")).to_have_text("CONFIRMED")
        desk.appointments[0] = appointment(demo, "CANCELLED")
        await expect(page.part("status")).to_have_text("CANCELLED")
        await expect(page.part("reminder-2h")).to_have_count(0)
        await expect(page.part("to-2h")).to_be_disabled()
        await page.page.keyboard.press("Escape")
        await expect(page.part("input")).to_be_visible()


@SIZES
async def test_names_and_texts_are_never_markup(browser: Browser, demo: World, size: tuple[int, int]) -> None:
    async with visit(browser, demo.url, size) as page:
        if await page.part("show-customers").is_visible():
            await page.part("show-customers").click()
        await page.part("add-customer").click()
        await page.part("new-name").fill(SCRIPT + "Maximiliana" * 3)
        await page.part("new-create").click()
        await expect(page.part("hint")).to_contain_text("Write hi to begin")
        await page.type(f"{SCRIPT} *{SCRIPT}* https://example.com/{'x' * 300}")

        await expect(page.part("message-out").get_by_test_id("text")).to_contain_text(SCRIPT)
        assert await page.page.locator("img[src='x']").count() == 0
        assert not await page.overflows()
        await page.open_chat("Lucía")
        await expect(page.part("hint")).to_be_visible()
        assert not await page.overflows()


async def test_another_chat_is_unread_until_it_is_opened(browser: Browser, demo: World) -> None:
    rafael = FIRST_PEOPLE[1]
    async with visit(browser, demo.url) as page:
        await demo.send(reminder() | {"to": rafael.wa_id})
        await expect(page.part("unread")).to_have_text("1")
        await until(lambda: demo.hook.states() == ["sent", "delivered"])

        await page.open_chat("Rafael")

        await until(lambda: demo.hook.states() == ["sent", "delivered", "read"])
        await expect(page.part("unread")).to_have_count(0)


async def test_a_message_that_nobody_took_is_sent_again(
    browser: Browser, demo: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.simulator.webhook._PAUSES", ())
    demo.hook.statuses = [500]
    async with visit(browser, demo.url) as page:
        await page.type("hola")
        await page.part("send-again").click()

        await expect(page.part("ticks")).to_have_attribute("data-status", "delivered")
        await expect(page.part("send-again")).to_have_count(0)


async def test_reactions_and_quoted_answers(browser: Browser, demo: World) -> None:
    async with visit(browser, demo.url) as page:
        await greet(page, demo)
        await demo.send(to_lucia(text("¿*Vienes* el _martes_?")))
        await expect(page.part("message-in").locator("strong")).to_have_text("Vienes")

        await _react(page, page.part("emoji").first)
        await expect(page.part("reactions")).to_have_text("👍")
        await _react(page, page.part("reply"))
        await page.type("sí")

        await until(lambda: len(demo.hook.values("messages")) == 2)
        reaction, answer = demo.hook.values("messages")
        assert reaction["reaction"] == {"message_id": demo.standin.messages[0].wamid, "emoji": "👍"}
        assert answer["context"]["id"] == demo.standin.messages[0].wamid


async def _react(page: PhonePage, choice: Locator) -> None:
    await page.part("message-in").hover()
    await page.part("react").click()
    await choice.click()


@pytest.mark.parametrize(
    ("locale", "word"), [("es-MX", "Mensaje"), ("pt-BR", "Mensagem"), ("en-GB", "Message"), ("fr-FR", "Message")]
)
async def test_the_page_speaks_the_visitors_language(
    browser: Browser, demo: World, desk: Desk, locale: str, word: str
) -> None:
    failed = [{"kind": "24h", "state": "skipped", "reason": "booked_late", "due_at": None, "moved": False}]
    desk.appointments.append(appointment(demo) | {"reminders": failed})
    async with visit(browser, demo.url, locale=locale) as page:
        await expect(page.part("input")).to_have_attribute("placeholder", word)
        await page.type("hola")
        await page.part("attach").click()
        for language, other in (("es", "Mensaje"), ("pt", "Mensagem"), ("en", "Message")):
            await page.part("language").select_option(language)
            await expect(page.part("input")).to_have_attribute("placeholder", other)
            assert "undefined" not in await page.page.inner_text("body")


async def test_faults_are_ordered_from_the_page_and_refusals_shown(browser: Browser, demo: World) -> None:
    async with visit(browser, demo.url) as page:
        await expect(page.part("window")).to_have_text("24 h window closed")
        await demo.send(to_lucia(text()))
        await expect(page.part("refused")).to_contain_text("131047")

        await page.part("network-lose").check()
        await until(lambda: bool(demo.standin.faults.waiting))
        await greet(page, demo)

        await expect(page.part("window")).to_have_text("24 h window open")
        await expect(page.part("network-lose")).to_be_checked()
