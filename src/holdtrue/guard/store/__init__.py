"""Stores of conversations: append-only events, each with the hash of the one before it."""
