"""Forums drawn at random: every property of a forum is one independent choice of a seed."""
