"""The one-minute story, in the real demo: booked, reminded, confirmed, as a newcomer would, on both sizes of screen."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.async_api import Browser, expect

from tests.browser.phone_page import DESKTOP, PHONE, visit
from tests.services.process import free_port, start, stop

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

DEMO = "from bot.cli import main; main()"
LONG = 20_000
"""Milliseconds: the jump goes to five seconds before the reminder."""
WORDS = [("Lucía", "hola", "Confirmar"), ("Emma", "hi", "Confirm"), ("Rafael", "oi", "Confirmar")]


def _answers(url: str) -> bool:
    with suppress(URLError, OSError):
        return bool(urlopen(url, timeout=2).status == 200)  # noqa: S310 - our own page on the loopback
    return False


@pytest.fixture
def real_demo(tmp_path: Path) -> Iterator[str]:
    """`confirmo demo` in a process of its own."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-c", DEMO, "demo", "--port", str(port)]
    process = start(command, log=tmp_path / "demo.log", ready=lambda: _answers(url))
    yield url
    stop(process)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(("customer", "hello", "confirm"), WORDS, ids=["es", "en", "pt"])
async def test_a_newcomer_books_is_reminded_and_confirms(
    browser: Browser, real_demo: str, size: tuple[int, int], customer: str, hello: str, confirm: str
) -> None:
    async with visit(browser, real_demo, size) as phone:
        await phone.open_chat(customer)
        await phone.type(hello)
        await phone.part("open-list").last.click()
        await phone.part("list-row").nth(5).click()
        await phone.part("list-send").click()
        await phone.open_panel()
        await expect(phone.part("status")).to_have_text("SCHEDULED")
        await phone.part("to-24h").click()
        await phone.close_panel()
        await phone.page.locator("[data-kind=template]").first.wait_for(timeout=LONG)
        await phone.tap(confirm)
        await phone.open_panel()
        await expect(phone.part("status")).to_have_text("CONFIRMED", timeout=LONG)
        assert await phone.part("reminder-24h").get_attribute("data-state") in {"delivered", "read", "answered"}
        assert not await phone.overflows()
