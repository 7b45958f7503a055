"""A written date becomes a moment."""
