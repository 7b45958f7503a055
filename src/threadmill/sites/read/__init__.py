"""The pages of one site become its keywords and the facts that tell who runs it."""
