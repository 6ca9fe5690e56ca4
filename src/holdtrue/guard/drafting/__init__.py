"""The drafting of policies from prose, with a model or by hand."""
