"""The verbs that simulate forums and measure Threadmill."""
