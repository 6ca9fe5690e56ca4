"""This package generates pairs of items that differ in one sentence, and so in the right answer."""
