"""The phone page in a real Chromium, driven by what a visitor can see and touch."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from playwright.async_api import Browser, ConsoleMessage, Locator, Page, Request, async_playwright

DESKTOP = (1280, 800)
PHONE = (390, 844)
# Without these it calls home at every start.
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass(slots=True, kw_only=True)
class PhonePage:
    """One visitor's page. `wrongs` collects what must not happen: script errors and requests to other servers."""

    page: Page
    wrongs: list[str] = field(default_factory=list)

    def part(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    async def type(self, text: str) -> None:
        await self.part("input").fill(text)
        await self.part("input").press("Enter")

    async def tap(self, label: str) -> None:
        """The newest button of this name under a message."""
        await self.part("option").filter(has_text=label).last.click()

    async def choose(self, row: str) -> None:
        """Open the newest list and send the row of this name."""
        await self.part("open-list").last.click()
        await self.part("list-row").filter(has_text=row).first.click()
        await self.part("list-send").click()

    async def open_chat(self, name: str) -> None:
        if await self.part("show-customers").is_visible():
            await self.part("show-customers").click()
        await self.part("customer").filter(has_text=name).click()

    async def open_panel(self) -> None:
        """Appointments and time: beside the chat, or over it on a small screen."""
        if await self.part("show-panel").is_visible():
            await self.part("show-panel").click()

    async def close_panel(self) -> None:
        if await self.part("hide-panel").is_visible():
            await self.part("hide-panel").click()

    async def overflows(self) -> bool:
        """Must the visitor scroll sideways?"""
        wide: bool = await self.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        return wide


@asynccontextmanager
async def chromium(path: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=list(_FLAGS))
        yield browser
        await browser.close()


@asynccontextmanager
async def visit(
    browser: Browser, url: str, size: tuple[int, int] = DESKTOP, locale: str = "en-US"
) -> AsyncIterator[PhonePage]:
    """A visitor with a browser in `locale`."""
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]}, locale=locale, has_touch=size == PHONE
    )
    visitor = PhonePage(page=await context.new_page())
    _watch(visitor, url)
    await visitor.page.goto(url)
    await visitor.part("presence").wait_for()
    yield visitor
    await context.close()
    assert visitor.wrongs == []


def _watch(visitor: PhonePage, url: str) -> None:
    def said(message: ConsoleMessage) -> None:
        # A refused action is an answer of the server, not a fault of the page.
        if message.type == "error" and "Failed to load resource" not in message.text:
            visitor.wrongs.append(message.text)

    def asked(request: Request) -> None:
        if not request.url.startswith(url):
            visitor.wrongs.append(request.url)

    visitor.page.on("console", said)
    visitor.page.on("request", asked)
    visitor.page.on("pageerror", lambda error: visitor.wrongs.append(str(error)))
