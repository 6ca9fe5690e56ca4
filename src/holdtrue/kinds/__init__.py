"""The kinds of answers, one folder each: its problem, methods, prompts, reader, loop and verdict."""
