"""What entries come to: rows for each suite, and arms of any suite held against each other."""
