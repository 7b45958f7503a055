"""Simulated forums, and measurements of Threadmill on simulated and recorded material."""
