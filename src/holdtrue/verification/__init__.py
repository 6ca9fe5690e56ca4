"""Verify answers: verdicts, triggers, explanations, and sentences about them."""
