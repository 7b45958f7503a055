"""Facts about sites become pairs with a score, and pairs become clusters."""
