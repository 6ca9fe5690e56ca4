"""Running methods over suites, writing down every turn, and measuring what was written."""
