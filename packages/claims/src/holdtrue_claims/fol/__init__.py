"""First-order sentences over named things: what claims and premises are formalized in."""
