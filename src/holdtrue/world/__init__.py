"""This package declares what a conversation can be about, entities, attributes and constraints, and reads answers."""
