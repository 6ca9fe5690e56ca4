"""Two runs of one suite, held against each other: settings, paired tests, costs, and each turn that changed."""
