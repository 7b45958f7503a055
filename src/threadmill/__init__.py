"""Threadmill keeps a clean, deduplicated corpus of forums and sites, and downloads almost nothing twice."""

__version__ = "0.1.0"
