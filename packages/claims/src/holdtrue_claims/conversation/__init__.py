"""Conversations about claims, and the format of their files."""
