"""How well the gates of a formula tell what a sentence says from what it nearly says: pairs, judges and figures."""
