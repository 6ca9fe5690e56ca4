"""Generate pairs of items that differ in one sentence and so in the right answer, to see if a method follows it."""
