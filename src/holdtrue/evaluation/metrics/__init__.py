"""One file of metrics per suite."""
