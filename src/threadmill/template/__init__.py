"""Pages of one site → its framing: what repeats over them, to be removed or marked; pure."""
