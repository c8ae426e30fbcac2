"""What Meta last said of the reminder templates, and a business's own names for them."""

import json
from collections.abc import Mapping
from datetime import datetime

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


async def unusable(session: AsyncSession, business_id: int) -> frozenset[tuple[str, str]]:
    """(name, language) of those that cannot be sent now, or that would be billed as marketing."""
    query = select(TemplateStateRow).where(col(TemplateStateRow.business_id) == business_id)
    rows = (await session.exec(query)).all()
    return frozenset((row.name, row.language) for row in rows if row.status not in USABLE)


async def overrides(session: AsyncSession, business_id: int) -> Mapping[tuple[str, str], tuple[str, str]]:
    """The business's own: (kind, our language) → (template name, code), kept as `{kind: {language: [name, code]}}`."""
    query = select(col(BusinessRow.templates)).where(col(BusinessRow.id) == business_id)
    stored = json.loads((await session.exec(query)).one())
    return {
        (kind, language): (name, code)
        for kind, languages in stored.items()
        for language, (name, code) in languages.items()
    }


async def phone_number_id(session: AsyncSession, business_id: int) -> str:
    """The number that the business sends from."""
    query = select(col(BusinessRow.phone_number_id)).where(col(BusinessRow.id) == business_id)
    return (await session.exec(query)).one()
