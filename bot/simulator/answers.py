"""An answer that never arrives whole: how a lost connection looks to the sender."""

from starlette.responses import Response
from starlette.types import Receive, Scope, Send


class LostAnswer(Response):
    """Begins an answer and leaves it: the server closes the connection, the sender cannot know what happened."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        headers = [(b"content-type", b"application/json"), (b"content-length", b"512")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"", "more_body": True})
