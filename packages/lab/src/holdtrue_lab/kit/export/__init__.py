"""This package exports problems and runs: as data sets of Hugging Face, and as logs of Inspect."""
