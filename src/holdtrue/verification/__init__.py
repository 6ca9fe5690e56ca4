"""What an answer is worth: verdicts, triggers, and sentences about them."""
