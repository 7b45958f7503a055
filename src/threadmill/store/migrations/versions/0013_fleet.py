"""Tables of a fleet: its forums, who may ask which host, and its workers."""

import sqlalchemy as sa
from alembic import op

from threadmill.store.schema import Instant

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of fleets."""
    op.create_table(
        "fleet_host",
        sa.Column("host", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text),
        sa.Column("free", Instant),
    )
    op.create_table(
        "fleet_forum",
        sa.Column("url", sa.Text, primary_key=True),
        sa.Column("host", sa.Text, sa.ForeignKey("fleet_host.host"), nullable=False),
        sa.Column("due", Instant, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("last_failure", sa.Text, nullable=False),
    )
    op.create_index("ix_fleet_forum_host", "fleet_forum", ["host"])
    op.create_index("ix_fleet_forum_due", "fleet_forum", ["due"])
    op.create_table(
        "fleet_worker",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("machine", sa.Text, nullable=False),
        sa.Column("process", sa.Integer, nullable=False),
        sa.Column("started", Instant, nullable=False),
        sa.Column("seen", Instant, nullable=False),
        sa.Column("draining", sa.Boolean, nullable=False),
        sa.Column("runs", sa.BigInteger, nullable=False),
        sa.Column("pages", sa.BigInteger, nullable=False),
        sa.Column("posts", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "fleet_hour",
        sa.Column("hour", Instant, primary_key=True),
        sa.Column("requests", sa.BigInteger, nullable=False),
    )
