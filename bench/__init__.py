"""Benchmarks: each runs us and a peer in the same run and prints the ratio; no test asserts a speed."""
