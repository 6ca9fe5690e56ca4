"""Tables of a report about claims."""
