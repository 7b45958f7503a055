"""A page is laid out flat, and what repeats on it becomes records with columns."""
