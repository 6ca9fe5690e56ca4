"""Showing what runs came to; everything is read from their folders."""
