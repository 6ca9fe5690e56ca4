"""Guarded conversations: their messages and tool results, and the decisions on calls that follow from them."""
