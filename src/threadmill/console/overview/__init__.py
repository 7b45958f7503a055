"""The overview: forums and sites of the workspace, their crawls, and what is running now."""
