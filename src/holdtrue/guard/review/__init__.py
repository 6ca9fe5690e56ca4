"""The review of a policy by a person: its sentences, rules and edges on a page, and the marks that come back."""
