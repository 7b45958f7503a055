"""Real forum engines from PyPI, installed beside the project, filled with posts and crawled on loopback."""
