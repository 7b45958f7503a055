"""Finds a learnt framing on one page, to remove it, mark it, or tell which paragraphs are framing."""
