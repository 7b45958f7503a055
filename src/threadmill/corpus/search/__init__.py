"""Full-text search over paragraphs and posts."""
