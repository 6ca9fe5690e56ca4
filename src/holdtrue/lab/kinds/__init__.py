"""What is measured of each kind of answer."""
