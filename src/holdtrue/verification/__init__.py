"""Verify answers against commitments: verdicts, explanations, and sentences about them."""
