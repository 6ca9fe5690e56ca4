"""Tables as plain values: made once here, and rendered by terminal, page and LaTeX."""
