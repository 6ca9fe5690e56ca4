"""Claims that are hard to route, with the type that they have: the groups of VERGE's appendix C.3, in words of our own.

`standard`: plain logic, numbers, order. `soft`: what everybody knows, opinions, likelihood. `adversarial`: pairs that
share their tempting words, of which one is for a solver and the other is not; the pairs stand next to each other.
"""

from __future__ import annotations

from holdtrue_claims.claim_record import ClaimType

M, L, T = ClaimType.MATHEMATICAL, ClaimType.LOGICAL, ClaimType.TEMPORAL
P, C, V = ClaimType.PROBABILISTIC, ClaimType.COMMONSENSE, ClaimType.VAGUE

STANDARD: tuple[tuple[str, ClaimType], ...] = (
    ("Every beekeeper in the valley owns a ladder.", L),
    ("If the red lamp is on, then the pump is off.", L),
    ("The crate weighs 14 kilograms more than the barrel.", M),
    ("The harvest festival takes place two days after the regatta.", T),
    ("No apprentice may use the kiln.", L),
    ("The three ponds together hold 900 litres.", M),
    ("The baker arrives before the butcher and after the grocer.", T),
    ("Either Greta or Milan locks the gate, but not both.", L),
    ("The sum of the two meter readings is even.", M),
    ("The ferry leaves at 7:40 and lands at 8:15.", T),
    ("Pavel is a tenor if and only if he does not sing the solo.", L),
    ("The attic room is at most 12 square metres.", M),
    ("The grey cat sits directly to the left of the black cat.", T),
    ("Some of the oaks are not listed in the register.", L),
    ("The ticket costs half of what the programme costs.", M),
    ("The bridge was finished in 1911, four years before the station.", T),
    ("Neither Olaf nor Irma has a key to the archive.", L),
    ("x is divisible by 4 and smaller than 30.", M),
    ("The tulips are planted immediately before the crocuses.", T),
    ("All members of the first crew belong to the second crew as well.", L),
    ("At least five of the nine windows face the yard.", M),
    ("Jonas is older than Wilma and younger than Edda.", M),
    ("The violet folder is the third from the right.", T),
    ("Hanne is a plumber and Hanne is not a member of the union.", L),
)
SOFT: tuple[tuple[str, ClaimType], ...] = (
    ("The autumn light makes the old harbour look enchanting.", V),
    ("It will probably freeze before the end of the week.", P),
    ("Bread goes stale when it lies in the open air.", C),
    ("The choir sang with a lot of warmth.", V),
    ("The new bakery is likely to close within a year.", P),
    ("A wet floor makes people slip.", C),
    ("The second novel is far more gripping than the first.", V),
    ("Perhaps the courier has taken the wrong road.", P),
    ("Candles go out in a strong wind.", C),
    ("Ruth's apartment is quite cosy.", V),
    ("The home team might still turn the match around.", P),
    ("Small children get tired when they walk for hours.", C),
    ("The curtains do not really suit the room.", V),
    ("The odds of finding the ring again are slim.", P),
    ("Plants in a dark cellar wither.", C),
    ("The lecture was tedious.", V),
    ("It seems that the mill will be sold.", P),
    ("Sharp knives usually cut better than blunt ones.", C),
    ("The mayor is a difficult person to deal with.", V),
    ("A rainy summer may well ruin the harvest.", P),
    ("Dogs tend to bark at strangers.", C),
    ("Her garden is the prettiest in the street.", V),
    ("Chances are that nobody will notice the scratch.", P),
    ("People who are shouted at become uneasy.", C),
)
ADVERSARIAL: tuple[tuple[str, ClaimType], ...] = (
    # Numeric idioms beside numbers.
    ("The relay team put in 120% effort on Sunday.", V),
    ("The tank was filled to 120 litres on Sunday.", M),
    ("After the premiere Dora was in seventh heaven.", V),
    ("After the premiere Dora lived in the seventh house.", T),
    ("Their grandfather has told that story a thousand times.", V),
    ("Their grandfather has sold that book 1000 times.", M),
    ("Karl is always in two minds about holidays.", V),
    ("Karl is in two clubs.", M),
    ("The rescue came at the eleventh hour.", V),
    ("The rescue came at 11:00.", T),
    # Logical homonyms beside logic.
    ("From that smile it follows that she was delighted.", V),
    ("From these axioms it follows that every group of order five is commutative.", L),
    ("His silence implies that he is offended.", V),
    ("Membership in the guild implies membership in the council.", L),
    ("Well, if that isn't a splendid cake!", V),
    ("If that cake is not on the tray, it is in the oven.", L),
    ("All in all the evening was a success.", V),
    ("All in the evening class are adults.", L),
    # A rule as it is, and turned round: what it says changes, its route does not.
    ("Bicycles are banned from the upper deck.", L),
    ("Bicycles are permitted on the upper deck.", L),
    ("Penguins are able to fly if they are kept in the north wing.", L),
    ("Every stone in the north wing floats on water.", L),
    ("Stones sink in water.", C),
    ("Penguins cannot fly.", C),
    # Vague quantities beside exact ones.
    ("Many guests brought their own chairs.", V),
    ("More than 40 guests brought their own chairs.", M),
    ("Only a handful of the letters arrived.", V),
    ("Exactly three of the letters arrived.", M),
    ("The train was late by quite a while.", V),
    ("The train was late by 25 minutes.", T),
    ("Most visitors leave early.", V),
    ("At most 8 visitors leave before noon.", M),
)
