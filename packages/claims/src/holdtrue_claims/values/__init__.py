"""Read values in English texts: numbers, amounts with units, money, dates and times."""
