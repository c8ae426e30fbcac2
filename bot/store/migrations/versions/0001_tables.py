"""All tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:  # noqa: PLR0915 - one statement a table
    op.create_table(
        "businesses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("phone_number_id", sa.String(), nullable=False),
        sa.Column("waba_id", sa.String(), nullable=False),
        sa.Column("notice_minutes", sa.Integer(), nullable=False),
        sa.Column("horizon_days", sa.Integer(), nullable=False),
        sa.Column("grid_minutes", sa.Integer(), nullable=False),
        sa.Column("max_active", sa.Integer(), nullable=True),
        sa.Column("change_deadline_minutes", sa.Integer(), nullable=True),
        sa.Column("remind_confirmed", sa.Boolean(), nullable=False),
        sa.Column("templates", sa.Text(), server_default="{}", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_businesses")),
        sa.UniqueConstraint("phone_number_id", name=op.f("uq_businesses_phone_number_id")),
    )
    op.create_index(op.f("ix_businesses_waba_id"), "businesses", ["waba_id"], unique=False)

    op.create_table(
        "scans",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("kind", name=op.f("pk_scans")),
    )

    op.create_table(
        "web_heartbeats",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("up_since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_web_heartbeats")),
    )

    op.create_table(
        "alarms",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), server_default="", nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("probe_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["business_id"], ["businesses.id"], name=op.f("fk_alarms_business_id_businesses")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alarms")),
    )
    op.create_index(
        "uq_alarms_open",
        "alarms",
        ["business_id", "kind"],
        unique=True,
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )

    op.create_table(
        "customers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("whatsapp_number", sa.String(), nullable=True),
        sa.Column("canonical_number", sa.String(), nullable=True),
        sa.Column("user_id", sa.String(), nullable=True),
        sa.Column("parent_user_id", sa.String(), nullable=True),
        sa.Column("username", sa.String(), nullable=True),
        sa.Column("language", sa.String(), nullable=True),
        sa.Column("opted_out_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("muted_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_inbound_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("referral", sa.Text(), nullable=True),
        sa.Column("draft", sa.Text(), server_default="{}", nullable=False),
        sa.Column("lease", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["business_id"], ["businesses.id"], name=op.f("fk_customers_business_id_businesses")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_customers")),
        sa.UniqueConstraint("business_id", "canonical_number", name=op.f("uq_customers_business_id_canonical_number")),
        sa.UniqueConstraint("business_id", "user_id", name=op.f("uq_customers_business_id_user_id")),
    )

    op.create_table(
        "services",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.Column("buffer_minutes", sa.Integer(), nullable=False),
        sa.Column("price", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["business_id"], ["businesses.id"], name=op.f("fk_services_business_id_businesses")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_services")),
    )
    op.create_index(op.f("ix_services_business_id"), "services", ["business_id"], unique=False)

    op.create_table(
        "staff",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["business_id"], ["businesses.id"], name=op.f("fk_staff_business_id_businesses")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff")),
    )
    op.create_index(op.f("ix_staff_business_id"), "staff", ["business_id"], unique=False)

    op.create_table(
        "template_states",
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["business_id"], ["businesses.id"], name=op.f("fk_template_states_business_id_businesses")
        ),
        sa.PrimaryKeyConstraint("business_id", "name", "language", name=op.f("pk_template_states")),
    )

    op.create_table(
        "appointments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("service_id", sa.Integer(), nullable=True),
        sa.Column("staff_id", sa.Integer(), nullable=True),
        sa.Column("attendee", sa.String(), nullable=True),
        sa.Column("scheduled_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("busy_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("cancelled_from", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("reminder_24h_sent", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("reminder_24h_message_id", sa.String(), nullable=True),
        sa.Column("reminder_2h_sent", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("reminder_2h_message_id", sa.String(), nullable=True),
        sa.Column("next_mark_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("slot_set_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("slot_version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("import_key", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status IN ('SCHEDULED', 'CONFIRMED', 'CANCELLED', 'COMPLETED', 'NO_SHOW')",
            name=op.f("ck_appointments_status"),
        ),
        sa.CheckConstraint("ends_at > scheduled_at AND busy_until >= ends_at", name=op.f("ck_appointments_times")),
        sa.ForeignKeyConstraint(
            ["business_id"], ["businesses.id"], name=op.f("fk_appointments_business_id_businesses")
        ),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_appointments_customer_id_customers")),
        sa.ForeignKeyConstraint(["service_id"], ["services.id"], name=op.f("fk_appointments_service_id_services")),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name=op.f("fk_appointments_staff_id_staff")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_appointments")),
        sa.UniqueConstraint("import_key", name=op.f("uq_appointments_import_key")),
    )
    op.create_index("ix_appointments_customer_id", "appointments", ["customer_id", "scheduled_at"], unique=False)
    op.create_index(
        "ix_appointments_next_mark_at",
        "appointments",
        ["next_mark_at", "id"],
        unique=False,
        sqlite_where=sa.text("next_mark_at IS NOT NULL AND status IN ('SCHEDULED', 'CONFIRMED')"),
        postgresql_where=sa.text("next_mark_at IS NOT NULL AND status IN ('SCHEDULED', 'CONFIRMED')"),
    )
    op.create_index("ix_appointments_staff_id", "appointments", ["staff_id", "busy_until"], unique=False)

    op.create_table(
        "inbox",
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("raw", sa.Text(), server_default="", nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("handled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("retry_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["business_id"], ["businesses.id"], name=op.f("fk_inbox_business_id_businesses")),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_inbox_customer_id_customers")),
        sa.PrimaryKeyConstraint("message_id", name=op.f("pk_inbox")),
    )
    op.create_index(
        "ix_inbox_open",
        "inbox",
        ["customer_id", "sent_at"],
        unique=False,
        sqlite_where=sa.text("handled_at IS NULL"),
        postgresql_where=sa.text("handled_at IS NULL"),
    )

    op.create_table(
        "opening_hours",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=False),
        sa.Column("weekday", sa.Integer(), nullable=False),
        sa.Column("opens", sa.Integer(), nullable=False),
        sa.Column("closes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name=op.f("fk_opening_hours_staff_id_staff")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_opening_hours")),
    )
    op.create_index(op.f("ix_opening_hours_staff_id"), "opening_hours", ["staff_id"], unique=False)

    op.create_table(
        "staff_services",
        sa.Column("staff_id", sa.Integer(), nullable=False),
        sa.Column("service_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["service_id"], ["services.id"], name=op.f("fk_staff_services_service_id_services")),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name=op.f("fk_staff_services_staff_id_staff")),
        sa.PrimaryKeyConstraint("staff_id", "service_id", name=op.f("pk_staff_services")),
    )

    op.create_table(
        "appointment_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("appointment_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("happening", sa.String(), nullable=False),
        sa.Column("from_status", sa.String(), nullable=True),
        sa.Column("to_status", sa.String(), nullable=False),
        sa.Column("from_start", sa.DateTime(timezone=True), nullable=True),
        sa.Column("to_start", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("actor_name", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["appointment_id"], ["appointments.id"], name=op.f("fk_appointment_events_appointment_id_appointments")
        ),
        sa.ForeignKeyConstraint(
            ["business_id"], ["businesses.id"], name=op.f("fk_appointment_events_business_id_businesses")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_appointment_events")),
    )
    op.create_index(
        op.f("ix_appointment_events_appointment_id"), "appointment_events", ["appointment_id"], unique=False
    )

    op.create_table(
        "attention",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=True),
        sa.Column("appointment_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["appointment_id"], ["appointments.id"], name=op.f("fk_attention_appointment_id_appointments")
        ),
        sa.ForeignKeyConstraint(["business_id"], ["businesses.id"], name=op.f("fk_attention_business_id_businesses")),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_attention_customer_id_customers")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attention")),
        sa.UniqueConstraint("business_id", "source", name=op.f("uq_attention_business_id_source")),
    )
    op.create_index(
        "ix_attention_open",
        "attention",
        ["business_id", "created_at"],
        unique=False,
        sqlite_where=sa.text("done_at IS NULL"),
        postgresql_where=sa.text("done_at IS NULL"),
    )

    op.create_table(
        "outbox",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("business_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("appointment_id", sa.Integer(), nullable=True),
        sa.Column("appointment_version", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("resends", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("cause", sa.String(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("order_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease", sa.String(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error_code", sa.Integer(), nullable=True),
        sa.Column("error_text", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "state IN ('queued','sending','unknown','accepted','sent','delivered','read','failed','skipped')",
            name=op.f("ck_outbox_state"),
        ),
        sa.ForeignKeyConstraint(
            ["appointment_id"], ["appointments.id"], name=op.f("fk_outbox_appointment_id_appointments")
        ),
        sa.ForeignKeyConstraint(["business_id"], ["businesses.id"], name=op.f("fk_outbox_business_id_businesses")),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_outbox_customer_id_customers")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    op.create_index("ix_outbox_appointment_id", "outbox", ["appointment_id", "kind"], unique=False)
    op.create_index("ix_outbox_customer_id", "outbox", ["customer_id", "created_at"], unique=False)
    op.create_index(
        "ix_outbox_due",
        "outbox",
        ["due_at", "rank", "order_at"],
        unique=False,
        sqlite_where=sa.text("state = 'queued'"),
        postgresql_where=sa.text("state = 'queued'"),
    )
    op.create_index("ix_outbox_message_id", "outbox", ["message_id"], unique=False)
    op.create_index(
        "ix_outbox_open",
        "outbox",
        ["lease_until"],
        unique=False,
        sqlite_where=sa.text("state IN ('sending', 'unknown')"),
        postgresql_where=sa.text("state IN ('sending', 'unknown')"),
    )

    op.create_table(
        "outbox_messages",
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("outbox_id", sa.String(), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["outbox_id"], ["outbox.id"], name=op.f("fk_outbox_messages_outbox_id_outbox")),
        sa.PrimaryKeyConstraint("message_id", name=op.f("pk_outbox_messages")),
    )
    op.create_index(op.f("ix_outbox_messages_outbox_id"), "outbox_messages", ["outbox_id"], unique=False)

    op.create_table(
        "receipts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("delivery_id", sa.String(), nullable=True),
        sa.Column("outbox_id", sa.Text(), nullable=True),
        sa.Column("error_code", sa.Integer(), nullable=True),
        sa.Column("error_text", sa.String(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["outbox_id"], ["outbox.id"], name=op.f("fk_receipts_outbox_id_outbox")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_receipts")),
        sa.UniqueConstraint("message_id", "status", name=op.f("uq_receipts_message_id_status")),
    )
    op.create_index(op.f("ix_receipts_delivery_id"), "receipts", ["delivery_id"], unique=False)
    op.create_index(op.f("ix_receipts_outbox_id"), "receipts", ["outbox_id"], unique=False)
