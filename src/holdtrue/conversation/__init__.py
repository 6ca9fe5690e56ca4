"""Conversations that are held true to what was agreed in them."""

from holdtrue.conversation.session import Session

__all__ = ["Session"]
