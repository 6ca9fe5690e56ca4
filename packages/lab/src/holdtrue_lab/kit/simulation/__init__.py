"""This package holds the parts that simulated models of all kinds of answers share."""
