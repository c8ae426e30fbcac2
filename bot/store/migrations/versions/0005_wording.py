"""How a business speaks: its form of address, and its own lines."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("businesses", sa.Column("form_of_address", sa.String(), server_default="tú", nullable=False))
    op.add_column("businesses", sa.Column("wording", sa.Text(), server_default="{}", nullable=False))
