"""Each folder here has one kind of answer, with its problem, methods, prompts, reader, loop and verdict."""
