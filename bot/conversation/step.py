"""What a step is, and how a flow goes through its steps: the position is computed, the first open step asks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bot.conversation.draft import Draft
from bot.conversation.effects import Effect, Say
from bot.conversation.events import Event
from bot.conversation.view import View

Decision = tuple[Draft, tuple[Effect, ...]]


class Step(Protocol):
    """One question."""

    def settle(self, draft: Draft, view: View) -> Draft:
        """Answer the question without asking when only one answer is possible."""
        ...

    def open(self, draft: Draft, view: View) -> bool:
        """Is it still to be asked?"""
        ...

    def ask(self, draft: Draft, view: View) -> Say:
        """The message that asks it."""
        ...

    def read(self, event: Event, draft: Draft, view: View) -> Draft | None:
        """The draft with the answer in it, or None when the event is no answer to this question."""
        ...


@dataclass(frozen=True, slots=True)
class FlowSteps:
    """A journey: its questions in order, and what is done when all are answered."""

    steps: tuple[Step, ...]
    finish: Callable[[Draft, View], Decision]


def advance(flow: FlowSteps, draft: Draft, view: View) -> Decision:
    """Ask the first open question, or finish."""
    for step in flow.steps:
        draft = step.settle(draft, view)
        if step.open(draft, view):
            return draft, (step.ask(draft, view),)
    return flow.finish(draft, view)


def read(flow: FlowSteps, event: Event, draft: Draft, view: View) -> Draft | None:
    """What the event answers: any question of the flow, so that *back* is answering an earlier one again."""
    answers = (step.read(event, draft, view) for step in flow.steps)
    return next((answer for answer in answers if answer is not None), None)
