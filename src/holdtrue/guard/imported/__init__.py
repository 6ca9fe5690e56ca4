"""Import policies of other languages: Cedar, Dogwood and Rego."""
