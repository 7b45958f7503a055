"""The console: a local web page on a workspace, to see, steer and correct what Threadmill does."""
