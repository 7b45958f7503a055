"""Our parts run on simulated or recorded material, judged against what is known to be true."""
