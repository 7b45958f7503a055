"""Words in context: search the indexes of a workspace."""
