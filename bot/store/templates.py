"""What Meta last said of the reminder templates, and a business's own names for them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.database import insert
from bot.store.tables import BusinessRow, TemplateStateRow

USABLE = frozenset({"APPROVED", "REINSTATED", "UNPAUSED", "FLAGGED", "UNARCHIVED"})


async def note(
    session: AsyncSession, business_id: int, name: str, language: str, *, now: datetime, **told: str
) -> None:
    """Keep what a template webhook said: `status`, `reason`, `category`, whichever it names."""
    values = {"status": "APPROVED", "reason": "", "category": ""} | told
    query = insert(session, TemplateStateRow).values(
        business_id=business_id, name=name, language=language, updated_at=now, **values
    )
    await session.exec(
        query.on_conflict_do_update(
            index_elements=["business_id", "name", "language"], set_={**told, "updated_at": now}
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What may be sent: (name, code) pairs that cannot be now, and those that Meta counts as marketing.

    `own` are the business's: (kind, our language) → (name, code) pairs, the first choice first.
    """

    unusable: frozenset[tuple[str, str]]
    marketing: frozenset[tuple[str, str]]
    own: Mapping[tuple[str, str], Sequence[tuple[str, str]]]


_STATES = select(
    col(TemplateStateRow.name),
    col(TemplateStateRow.language),
    col(TemplateStateRow.status),
    col(TemplateStateRow.category),
).where(col(TemplateStateRow.business_id) == bindparam("business"))
_OWN = select(col(BusinessRow.templates)).where(col(BusinessRow.id) == bindparam("business"))


async def choice(session: AsyncSession, business_id: int) -> Choice:
    """As Meta's webhooks and answers, and the business's file, have it now."""
    connection = await session.connection()
    rows = (await connection.execute(_STATES, {"business": business_id})).all()
    stored = json.loads((await connection.execute(_OWN, {"business": business_id})).scalar_one())
    return Choice(
        unusable=frozenset((row.name, row.language) for row in rows if row.status not in USABLE),
        marketing=frozenset((row.name, row.language) for row in rows if row.category == "MARKETING"),
        own={
            (kind, language): [tuple(written.split("/", 1)) for written in names]
            for kind, languages in stored.items()
            for language, names in languages.items()
        },
    )
