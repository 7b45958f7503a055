"""`python -m threadmill` is the command `threadmill`."""

import sys

from threadmill.cli import main

if __name__ == "__main__":
    sys.exit(main())
