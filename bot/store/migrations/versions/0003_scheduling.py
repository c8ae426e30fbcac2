"""Resources, group sessions, special dates, time off, holidays, the settings' audit trail; one guard for all of it.

The guard takes the place of 0002's: two active appointments overlap on a staff member or a resource only as seats of
one session (the same service, staff member, start and resource), and no session has more of them than its service's
capacity. An appointment of nobody in particular is outside the rule. `bot.store.database.slot_taken` looks for the name
slot_taken in the error.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MATE = (
    "(a.service_id = NEW.service_id AND a.staff_id = NEW.staff_id AND a.scheduled_at = NEW.scheduled_at"
    " AND a.resource_id {same} NEW.resource_id)"
)
OVERLAP = (
    "a.status IN ('SCHEDULED', 'CONFIRMED') AND a.staff_id IS NOT NULL AND {others}"
    " AND a.busy_until > NEW.scheduled_at AND a.scheduled_at < NEW.busy_until"
)
# MATE is null for an appointment without a service: hence IS NOT TRUE, which takes that as no.
TAKEN = f"""
    EXISTS (SELECT 1 FROM appointments a WHERE a.staff_id = NEW.staff_id AND {OVERLAP} AND {MATE} IS NOT TRUE)
    OR EXISTS (SELECT 1 FROM appointments a WHERE a.resource_id = NEW.resource_id AND {OVERLAP} AND {MATE} IS NOT TRUE)
    OR (SELECT count(*) FROM appointments a WHERE a.staff_id = NEW.staff_id AND {OVERLAP} AND {MATE})
        >= COALESCE((SELECT capacity FROM services WHERE id = NEW.service_id), 1)
"""  # noqa: S608 - ours
SLOT = ("staff_id", "resource_id", "service_id", "scheduled_at", "busy_until")
COLUMNS = ", ".join((*SLOT, "status"))

# A later migration that rebuilds the table on SQLite (batch mode) loses its triggers and must make them anew.
SQLITE = """
CREATE TRIGGER slot_taken_{event} BEFORE {moment} ON appointments
WHEN NEW.status IN ('SCHEDULED', 'CONFIRMED') AND NEW.staff_id IS NOT NULL AND {changed} AND ({taken})
BEGIN
    SELECT RAISE(ABORT, 'slot_taken');
END
"""

# Writers of one business's appointments take turns from their first row to the end of their transaction: whoever is
# let in sees what the one before has written, and as there is one lock only, no two wait for each other for ever.
# A transaction that looks at an old snapshot would not see it: so it may not write.
TURN = 0x636F6E67
GUARD = """
CREATE FUNCTION appointments_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.status IN ('SCHEDULED', 'CONFIRMED') AND {unchanged} THEN
        RETURN NEW;
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'appointments are written in READ COMMITTED transactions only';
    END IF;
    PERFORM pg_advisory_xact_lock({turn}, NEW.business_id);
    IF {taken} THEN
        RAISE EXCEPTION 'slot_taken' USING ERRCODE = 'exclusion_violation';
    END IF;
    RETURN NEW;
END
$$
"""
TRIGGER = """
CREATE TRIGGER slot_taken BEFORE INSERT OR UPDATE OF {columns} ON appointments
FOR EACH ROW WHEN (NEW.status IN ('SCHEDULED', 'CONFIRMED') AND NEW.staff_id IS NOT NULL)
EXECUTE FUNCTION appointments_guard()
"""

PARTS = (
    "services", "resources", "service_resources", "staff", "staff_services", "opening_hours", "special_days",
    "time_off", "working_holidays",
)  # fmt: skip
"""A change in any of these is a change of the business; that of all businesses is the same to the caches."""


def upgrade() -> None:
    postgresql = op.get_bind().dialect.name == "postgresql"
    _columns(postgresql)
    _rooms()
    _dates()
    op.create_table(
        "business_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("change", sa.Text(), server_default="", nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("actor_name", sa.String(), nullable=False),
        _to("business_events", "business_id", "businesses"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_business_events")),
    )
    op.create_index(op.f("ix_business_events_business_id"), "business_events", ["business_id"])
    _appointments()
    for statement in _guard(postgresql) + _versions(postgresql):
        op.execute(statement)


def _columns(postgresql: bool) -> None:
    for name in ("holiday_country", "holiday_region", "config_version"):
        op.add_column("businesses", sa.Column(name, sa.String(), server_default="", nullable=False))
    for name in ("colour", "resource_kind"):
        op.add_column("services", sa.Column(name, sa.String(), server_default="", nullable=False))
    op.add_column("services", sa.Column("capacity", sa.Integer(), server_default=sa.text("1"), nullable=False))
    first = "gen_random_uuid()::text" if postgresql else "lower(hex(randomblob(16)))"
    op.execute(f"UPDATE businesses SET config_version = {first}")  # noqa: S608 - ours


def _rooms() -> None:
    op.create_table(
        "resources",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        _to("resources", "business_id", "businesses"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_resources")),
    )
    op.create_index(op.f("ix_resources_business_id"), "resources", ["business_id"])
    op.create_table(
        "service_resources",
        sa.Column("service_id", sa.Integer(), nullable=False),
        sa.Column("resource_id", sa.Integer(), nullable=False),
        _to("service_resources", "service_id", "services"),
        _to("service_resources", "resource_id", "resources"),
        sa.PrimaryKeyConstraint("service_id", "resource_id", name=op.f("pk_service_resources")),
    )


def _dates() -> None:
    op.create_table(
        "special_days",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=True),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("hours", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        _to("special_days", "business_id", "businesses"),
        _to("special_days", "staff_id", "staff"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_special_days")),
        sa.UniqueConstraint("staff_id", "day", name=op.f("uq_special_days_staff_id_day")),
    )
    everybody = sa.text("staff_id IS NULL")
    op.create_index(
        "uq_special_days_business",
        "special_days",
        ["business_id", "day"],
        unique=True,
        sqlite_where=everybody,
        postgresql_where=everybody,
    )
    op.create_table(
        "time_off",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=True),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        _to("time_off", "business_id", "businesses"),
        _to("time_off", "staff_id", "staff"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_time_off")),
    )
    op.create_index(op.f("ix_time_off_business_id"), "time_off", ["business_id"])
    op.create_table(
        "working_holidays",
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        _to("working_holidays", "business_id", "businesses"),
        sa.PrimaryKeyConstraint("business_id", "name", name=op.f("pk_working_holidays")),
    )


def _appointments() -> None:
    # Plain SQL: Alembic would rebuild the table on SQLite to add a column with a reference, which SQLite can add as is.
    reference = "CONSTRAINT fk_appointments_resource_id_resources REFERENCES resources (id)"
    op.execute(f"ALTER TABLE appointments ADD COLUMN resource_id INTEGER {reference}")
    used = sa.text("resource_id IS NOT NULL")
    op.create_index(
        "ix_appointments_resource_id",
        "appointments",
        ["resource_id", "busy_until"],
        sqlite_where=used,
        postgresql_where=used,
    )


def _guard(postgresql: bool) -> list[str]:
    if postgresql:
        taken = TAKEN.format(same="IS NOT DISTINCT FROM", others="a.id <> NEW.id")
        unchanged = " AND ".join(f"NEW.{name} IS NOT DISTINCT FROM OLD.{name}" for name in SLOT)
        return [
            "ALTER TABLE appointments DROP CONSTRAINT slot_taken",
            "DROP TRIGGER take_turns ON appointments",
            "DROP FUNCTION appointments_take_turns()",
            GUARD.format(taken=taken, unchanged=unchanged, turn=TURN),
            TRIGGER.format(columns=COLUMNS),
        ]
    unchanged = " AND ".join(f"NEW.{name} IS OLD.{name}" for name in SLOT)
    changed = f"NOT (OLD.status IN ('SCHEDULED', 'CONFIRMED') AND {unchanged})"
    return [
        "DROP TRIGGER slot_taken_insert",
        "DROP TRIGGER slot_taken_update",
        SQLITE.format(event="insert", moment="INSERT", changed="TRUE", taken=TAKEN.format(same="IS", others="TRUE")),
        SQLITE.format(
            event="update",
            moment=f"UPDATE OF {COLUMNS}",
            changed=changed,
            taken=TAKEN.format(same="IS", others="a.id <> NEW.id"),
        ),
    ]


def _versions(postgresql: bool) -> list[str]:
    """`config_version` is made anew at every change: a copy of a business that has the same one is up to date."""
    if postgresql:
        return [
            """CREATE FUNCTION businesses_new_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' OR NEW.config_version = OLD.config_version THEN
        NEW.config_version := gen_random_uuid()::text;
    END IF;
    RETURN NEW;
END
$$""",
            "CREATE TRIGGER new_version BEFORE INSERT OR UPDATE ON businesses"
            " FOR EACH ROW EXECUTE FUNCTION businesses_new_version()",
            """CREATE FUNCTION businesses_new_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE businesses SET config_version = gen_random_uuid()::text;
    RETURN NULL;
END
$$""",
            *(
                f"CREATE TRIGGER new_versions AFTER INSERT OR UPDATE OR DELETE ON {table}"
                " FOR EACH STATEMENT EXECUTE FUNCTION businesses_new_versions()"
                for table in PARTS
            ),
        ]
    fresh = "UPDATE businesses SET config_version = lower(hex(randomblob(16)))"
    own = [
        f"CREATE TRIGGER new_version_{event} AFTER {event} ON businesses {when} BEGIN {fresh} WHERE id = NEW.id; END"
        for event, when in (("INSERT", ""), ("UPDATE", "WHEN NEW.config_version = OLD.config_version"))
    ]
    parts = [
        f"CREATE TRIGGER {table}_new_versions_{event} AFTER {event} ON {table} BEGIN {fresh}; END"
        for table in PARTS
        for event in ("INSERT", "UPDATE", "DELETE")
    ]
    return own + parts


def _to(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"))
