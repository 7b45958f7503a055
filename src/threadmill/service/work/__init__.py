"""The stages of a site comparison and the processes that run them."""
