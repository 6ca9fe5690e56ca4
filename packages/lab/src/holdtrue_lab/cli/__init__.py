"""This package holds the commands of the laboratory."""
