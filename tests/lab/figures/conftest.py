"""Figures are tried on the same reports as the laboratory's own tests."""

from tests.lab.conftest import folders, report

__all__ = ["folders", "report"]
