"""Where the evidence of a compared pair was found, and what a site calls itself."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the two columns. Results from before have no places."""
    op.add_column("compare_result", sa.Column("found", sa.JSON, nullable=False, server_default="[]"))
    op.add_column("site", sa.Column("name", sa.Text, nullable=False, server_default=""))
