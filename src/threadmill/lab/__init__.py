"""The laboratory: simulated forums, a judge of crawls, and measurements of Threadmill's quality."""
