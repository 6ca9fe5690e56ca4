"""What a guard makes of words: recorded or written conversations with expected decisions, played with any reader."""
