"""Engines that decide first-order sentences."""
