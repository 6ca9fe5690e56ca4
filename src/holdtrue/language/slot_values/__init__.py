"""Values, read by code from the words that a user said: dates, times of day, durations and amounts."""
