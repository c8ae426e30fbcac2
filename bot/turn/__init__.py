"""The shell of the conversation: load → decide → apply, for what one customer sent."""

from bot.turn.answer import answer

__all__ = ["answer"]
