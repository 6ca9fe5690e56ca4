"""Tables of a report about searches."""
