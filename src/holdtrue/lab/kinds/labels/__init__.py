"""Labels: what is measured of answers to queries about premises."""
