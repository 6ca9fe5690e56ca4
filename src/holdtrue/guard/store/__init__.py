"""Where conversations are kept: append-only events, each with the hash of the one before it."""
