"""What a turn does: small frozen configurations over one loop."""
