"""Tests of figures use the same reports as the other tests of the laboratory."""

from tests.lab.conftest import folders, report

__all__ = ["folders", "report"]
