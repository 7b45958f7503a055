"""Cuts a parsed page into blocks of text."""
