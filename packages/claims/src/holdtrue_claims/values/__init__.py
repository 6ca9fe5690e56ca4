"""Values in English texts: numbers, amounts with units, money, dates and times, as formulas write them."""
