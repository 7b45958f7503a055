"""Turns the pages of one site into its keywords and the facts that show who runs it."""
