"""A match of the grammar becomes a date or a time as it is written."""
