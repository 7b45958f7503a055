"""The verbs that compare sites."""
