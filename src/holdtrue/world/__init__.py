"""What a conversation can be about: entities, attributes, constraint types, and how answers are read."""
