"""Conversations about claims, and what their files hold."""
