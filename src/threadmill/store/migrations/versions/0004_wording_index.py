"""Find posts by author and text over a whole forum: a relaunched one may give threads other titles."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index."""
    op.create_index("ix_post_wording", "post", ["wording"])
