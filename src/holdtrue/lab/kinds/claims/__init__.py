"""Claims: what is measured of answers in free text."""
