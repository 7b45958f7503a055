"""A thread page becomes posts: author, date, text, quotes, permalink."""
