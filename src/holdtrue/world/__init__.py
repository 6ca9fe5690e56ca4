"""This package declares domains of entities, attributes and constraints, and reads answers about them."""
