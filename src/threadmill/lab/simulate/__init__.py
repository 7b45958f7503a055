"""Forums that never were: deterministic, growing with the clock, with their ground truth known."""
