"""Answers in free text as a kind of answer: problem, method, prompts, reader, loop and verdict."""
