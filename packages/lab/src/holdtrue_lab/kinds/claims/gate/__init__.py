"""Minimal pairs, judges that know them, and figures of how well gates tell a formula from its near misses."""
