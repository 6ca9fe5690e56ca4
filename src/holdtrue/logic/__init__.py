"""Pure values: sorts, terms, formulas, their evaluation and their JSON form."""
