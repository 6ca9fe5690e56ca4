"""Conversations that are checked against the commitments made in them."""

from holdtrue.conversation.session import Session

__all__ = ["Session"]
