"""Conversations that are held true to what was agreed in them."""

from holdtrue.session.session import Session

__all__ = ["Session"]
