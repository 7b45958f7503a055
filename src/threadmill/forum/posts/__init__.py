"""Finds the posts of a thread page and reads each: author, date, text, quotes, permalink."""
