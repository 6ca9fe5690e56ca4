"""The extractors that can be asked for by name."""
