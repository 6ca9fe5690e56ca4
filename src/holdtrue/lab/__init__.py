"""Measuring models and methods: the laboratory, which the product never imports."""
