"""Answers whose claims are tested: how a context becomes premises, an answer verdicts, and verdicts feedback."""
