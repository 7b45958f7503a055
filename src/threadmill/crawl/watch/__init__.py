"""Many forums kept current: each board is visited as often as its posting is worth, within a budget."""
