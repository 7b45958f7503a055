"""Measures the quality of Threadmill on simulated and recorded sites whose truth is known."""
