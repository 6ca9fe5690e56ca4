"""The kinds of answers, a folder each: its problem, methods, prompts, reader, loop and verdict."""
