"""Prompts that turn answers into claims and claims into logic, and the readers of the model's replies."""
