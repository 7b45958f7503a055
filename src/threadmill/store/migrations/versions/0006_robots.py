"""Robots.txt files, kept from one start to the next."""

import sqlalchemy as sa
from alembic import op

from threadmill.store.schema import Instant

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of robots.txt files."""
    op.create_table(
        "robots",
        sa.Column("origin", sa.Text, primary_key=True),
        sa.Column("at", Instant, nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("body_at", Instant),
        sa.Column("failing_since", Instant),
    )
