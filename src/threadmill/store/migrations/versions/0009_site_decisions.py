"""What people decided about pairs of sites."""

import sqlalchemy as sa
from alembic import op

from threadmill.store.schema import Instant

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of decisions."""
    op.create_table(
        "site_decision",
        sa.Column("task_id", sa.Uuid, sa.ForeignKey("task.id"), primary_key=True),
        sa.Column("site1_id", sa.Uuid, sa.ForeignKey("site.id"), primary_key=True),
        sa.Column("site2_id", sa.Uuid, sa.ForeignKey("site.id"), primary_key=True),
        sa.Column("same", sa.Boolean, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("at", Instant, nullable=False),
    )
