"""The Cross-Query Contradiction Benchmark: many queries about one case, whose answers have to fit together."""

SUITE = "cross_query"
