"""This package compares two runs of one suite: their settings, paired tests, costs, and each turn that changed."""
