"""Templates of sites."""

import sqlalchemy as sa
from alembic import op

from threadmill.store.schema import Instant

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of templates."""
    op.create_table(
        "template",
        sa.Column("site", sa.Text, primary_key=True),
        sa.Column("learnt", Instant, nullable=False),
        sa.Column("pages", sa.Integer, nullable=False),
        sa.Column("fit", sa.Double, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
