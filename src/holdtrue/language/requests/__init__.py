"""Read what a message settles of the slots of an app: the arguments of its tools, or the fields of its schema."""
