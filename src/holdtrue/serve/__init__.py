"""Servers that stand before tools and models: the guard behind a protocol, for programs that change no line."""
