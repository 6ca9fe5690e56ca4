"""State constraints in varied words: a bank of phrasings for each domain, and messages made of them."""
