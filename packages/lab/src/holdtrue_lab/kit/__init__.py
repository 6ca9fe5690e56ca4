"""This package holds what every run and report of the laboratory has, whatever was asked."""
