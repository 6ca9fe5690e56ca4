"""Tables of a report about labels."""
