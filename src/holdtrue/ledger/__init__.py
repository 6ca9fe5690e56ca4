"""What was agreed: commitments with provenance, kept as append-only events."""
