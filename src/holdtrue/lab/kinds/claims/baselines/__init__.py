"""Published methods that the pipeline is measured against, and controls."""
