"""Learns the model of a forum from some of its pages: URLs, page sizes, orders, and its wrapper."""
