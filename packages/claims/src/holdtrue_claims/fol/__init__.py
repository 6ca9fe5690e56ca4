"""First-order sentences over named things: the logic of formalized claims and premises."""
