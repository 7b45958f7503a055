"""A learnt template is applied to one page: its framing is found, removed or marked."""
