"""Benchmarks: each runs us and a peer in the same run and prints the ratio; nothing here is asserted in a test."""
