"""Pages of one site grouped by the framing they share: the method of the original paper."""
