"""The same constraints in other words: a bank of phrasings per domain, and messages made of them."""
