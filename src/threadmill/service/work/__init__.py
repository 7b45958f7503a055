"""The stages of a comparison, and the processes that run them."""
