"""How Alembic runs the migrations: on the connection, and inside the transaction, that bot.store.migrate opened."""

from typing import Any, Literal

from alembic import context
from sqlmodel import AutoString, SQLModel, UTCDateTime

import bot.store.tables  # noqa: F401 - fills the metadata


def render(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    """Write plain SQLAlchemy types into a generated migration: it must not change when SQLModel's own types do."""
    if kind == "type" and isinstance(item, UTCDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(item, AutoString):
        return "sa.String()"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    render_item=render,
    on_version_apply=context.config.attributes.get("on_version_apply"),
)
context.run_migrations()
