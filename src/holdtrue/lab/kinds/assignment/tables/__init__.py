"""Tables of a report about assignments."""
