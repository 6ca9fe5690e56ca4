"""Reading answers as claims, and claims as logic: the words that a model is asked with, and what its replies say."""
