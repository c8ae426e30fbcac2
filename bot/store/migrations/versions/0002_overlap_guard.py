"""No two active appointments of one staff member overlap, whoever writes them. Touching is allowed."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

# On SQLite the triggers go when a later migration rebuilds the table (batch mode): that one must make them anew.
# `bot.store.database.slot_taken` looks for the name slot_taken in the error, on both databases.

SQLITE = """
CREATE TRIGGER slot_taken_{event} BEFORE {moment} ON appointments
WHEN NEW.staff_id IS NOT NULL AND NEW.status IN ('SCHEDULED', 'CONFIRMED') AND EXISTS (
    SELECT 1 FROM appointments
    WHERE staff_id = NEW.staff_id AND status IN ('SCHEDULED', 'CONFIRMED') AND {others}
    AND busy_until > NEW.scheduled_at AND scheduled_at < NEW.busy_until
)
BEGIN
    SELECT RAISE(ABORT, 'slot_taken');
END
"""

# The int8range stands for "the same staff member" and saves the extension that an equals sign would need.
POSTGRESQL = """
ALTER TABLE appointments ADD CONSTRAINT slot_taken EXCLUDE USING gist (
    int8range(staff_id, staff_id, '[]') WITH &&,
    tstzrange(scheduled_at, busy_until) WITH &&
) WHERE (staff_id IS NOT NULL AND status IN ('SCHEDULED', 'CONFIRMED'))
"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(POSTGRESQL)
        return
    op.execute(SQLITE.format(event="insert", moment="INSERT", others="TRUE"))
    moment = "UPDATE OF staff_id, scheduled_at, busy_until, status"
    op.execute(SQLITE.format(event="update", moment=moment, others="id <> NEW.id"))
