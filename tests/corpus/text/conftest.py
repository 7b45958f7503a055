"""Every test of this folder runs with native code, and again in Python."""

from tests.implementations import implementation

__all__ = ["implementation"]
