"""What simulated models of all kinds have."""
