"""Cases about rules: who has access to what, and who is eligible for what."""
