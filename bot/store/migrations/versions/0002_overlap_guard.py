"""No two active appointments of one staff member overlap, whoever writes them. Touching is allowed.

`bot.store.database.slot_taken` looks for the name slot_taken in the error, on both databases.
"""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

# A later migration that rebuilds the table on SQLite (batch mode) loses its triggers and must make them anew.
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
EXCLUSION = """
ALTER TABLE appointments ADD CONSTRAINT slot_taken EXCLUDE USING gist (
    int8range(staff_id, staff_id, '[]') WITH &&,
    tstzrange(scheduled_at, busy_until) WITH &&
) WHERE (staff_id IS NOT NULL AND status IN ('SCHEDULED', 'CONFIRMED'))
"""

# Two inserts of one slot at once can each find the other's unfinished row and wait for it: a deadlock, which one of
# them learns of a second later (27 times in 1,500, ten at a time). So writers of one person's time take turns.
TURNS = """
CREATE FUNCTION appointments_take_turns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM staff WHERE id = NEW.staff_id FOR NO KEY UPDATE;
    RETURN NEW;
END
$$
"""
TRIGGER = """
CREATE TRIGGER take_turns BEFORE INSERT OR UPDATE OF staff_id, scheduled_at, busy_until, status ON appointments
FOR EACH ROW WHEN (NEW.staff_id IS NOT NULL AND NEW.status IN ('SCHEDULED', 'CONFIRMED'))
EXECUTE FUNCTION appointments_take_turns()
"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for statement in (EXCLUSION, TURNS, TRIGGER):
            op.execute(statement)
        return
    op.execute(SQLITE.format(event="insert", moment="INSERT", others="TRUE"))
    moment = "UPDATE OF staff_id, scheduled_at, busy_until, status"
    op.execute(SQLITE.format(event="update", moment=moment, others="id <> NEW.id"))
