"""Conversation as belief revision: questions about a small world, asked one after the other."""

SUITE = "belief"
