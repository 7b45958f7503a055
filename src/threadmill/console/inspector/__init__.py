"""The page inspector: a page as it looked, with coloured layers that show how Threadmill reads it."""
