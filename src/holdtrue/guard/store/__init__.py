"""Stores keep the events of conversations. Events are append-only, and each has the hash of the one before it."""
