"""The families of cases: the meanings, laws, worlds and settings of each; what they say is in `words/`."""
