"""The shell of sending: claim → send → mark, for one outgoing message."""

from bot.outbox.deliver import deliver
from bot.outbox.failure import failed
from bot.outbox.receive import received
from bot.outbox.recover import recover
from bot.outbox.seen import seen

__all__ = ["deliver", "failed", "received", "recover", "seen"]
