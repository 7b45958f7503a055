"""What people said about forums."""

import sqlalchemy as sa
from alembic import op

from threadmill.store.schema import Identity, Instant

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of corrections."""
    op.create_table(
        "correction",
        sa.Column("id", Identity, primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("said", sa.JSON, nullable=False),
        sa.Column("tested", sa.JSON, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("at", Instant, nullable=False),
    )
    op.create_index("ix_correction_url", "correction", ["url"])
