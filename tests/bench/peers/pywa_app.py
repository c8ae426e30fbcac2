"""The usual library for this: pywa on FastAPI. It checks the signature and holds everything in memory."""

from typing import Any

from fastapi import FastAPI
from pywa_async import WhatsApp

from tests.stack.world import NUMBER, SECRET, TOKEN, VERIFY

app = FastAPI()
client = WhatsApp(
    phone_id=NUMBER,
    token=TOKEN,
    server=app,
    webhook_endpoint="/webhook",
    verify_token=VERIFY,
    app_secret=SECRET,
)


@client.on_message  # type: ignore[untyped-decorator]
async def take(_: Any, message: Any) -> None:
    """A handler that does nothing at all."""
    del message
