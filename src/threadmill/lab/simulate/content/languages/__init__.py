"""The texts of simulated forums, one module per language."""
