"""`confirmo demo`."""

from typing import Annotated

import typer

from bot.cli import demo as whole

PORT = 8000


def demo(
    port: Annotated[int, typer.Option(envvar="PORT", min=1, max=65535, help="The port on the loopback.")] = PORT,
) -> None:
    """Connection settings of the environment and of `.env` are not looked at."""
    whole.demo(port)
