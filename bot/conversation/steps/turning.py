"""The last rows of a list that is longer than one message: on to what is left, and back to the first page."""

from collections.abc import Callable
from typing import Any

from bot.conversation.effects import Option
from bot.conversation.pages import Page
from bot.conversation.replies import Reply
from bot.conversation.view import View
from bot.understanding.intent import Brief, brief


def turning(page: Page[Any], to: Callable[[int], Reply], more: str, view: View) -> tuple[Option, ...]:
    """`to` makes the reply that leads to a place, `more` is the label of the row that leads on."""
    rows = []
    if page.following is not None:
        rows.append(Option(to(page.following), view.copy(more), view.wording.counted("left", page.left)))
    if page.first:
        rows.append(Option(to(0), view.copy("first_page"), view.copy("first_page_hint")))
    return tuple(rows)


def onward(text: str, more: str, view: View) -> bool:
    """Whether *more* was typed instead of tapping the row `more`."""
    return brief(text) is Brief.MORE or view.wording.means(text, more)
