"""The commands that simulate forums and measure Threadmill."""
