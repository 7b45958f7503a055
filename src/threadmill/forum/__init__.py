"""Reads pages of any forum, known or unknown: rows, posts, pagers, and a model of the whole forum."""
