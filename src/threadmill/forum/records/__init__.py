"""A page as flat lists of elements, and the records that repeat on it, with their columns and dates."""
