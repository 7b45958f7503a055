"""Simulated forums: deterministic, growing with the clock, with known ground truth."""
