"""The parts that simulated models of all kinds of answers share."""
