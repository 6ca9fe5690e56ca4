"""Phrases with the values that they state, written before there was a reader of them.

Each entry has a text, its values in the order of the text, and a flag. The values are in the notation of formulas; a
range is two values. The flag is true if a part of the text has no reading, or several.
"""

from __future__ import annotations

PHRASES: tuple[tuple[str, tuple[str, ...], bool], ...] = (
    # numbers
    ("The room seats 1,250 people.", ("1250",), False),
    ("Twenty-one guests came.", ("21",), False),
    ("One hundred and five tickets were sold.", ("105",), False),
    ("We ordered a dozen eggs.", ("12",), False),
    ("Two dozen chairs are needed.", ("24",), False),
    ("Half of the seats are taken.", ("0.5",), False),
    ("Two thirds of the members voted.", ("2 / 3",), False),
    ("The factor is 0.75.", ("0.75",), False),
    ("The town has 1.5 million inhabitants.", ("1500000",), False),
    ("Two hundred thousand copies were printed.", ("200000",), False),
    ("She was the third to arrive.", ("3",), False),
    ("He finished 22nd.", ("22",), False),
    ("About 30 people came.", ("30",), True),
    # shares
    ("The tax is 19%.", ("19%",), False),
    ("A discount of 7.5 percent applies.", ("7.5%",), False),
    ("Fifteen per cent of it is fat.", ("15%",), False),
    ("Between 10 and 20 percent are lost.", ("10%", "20%"), False),
    # money
    ("The order cost 240 euros.", ("240 EUR",), False),
    ("It costs €12.50.", ("12.5 EUR",), False),
    ("The fee is 12,50 EUR.", ("12.5 EUR",), False),
    ("Refunds above $1,200.00 need approval.", ("1200 USD",), False),
    ("The rent is 1.250,00 € in all.", ("1250 EUR",), False),
    ("USD 99 is due.", ("99 USD",), False),
    ("They raised 2.5 million dollars.", ("2500000 USD",), False),
    ("A night costs 80 euros per person.", ("80 EUR/person",), False),
    ("The allowance is 45 euros a day.", ("45 EUR/day",), False),
    ("It is 5 euros and 20 cents.", ("5.2 EUR",), False),
    ("It weighs 12 pounds.", (), True),
    # amounts
    ("The parcel weighs 5 kg.", ("5 kg",), False),
    ("Give 10 mg per kg of body weight.", ("10 mg/kg",), False),
    ("The dose is 2.5 mg/kg per day.", ("2.5 mg/kg/day",), False),
    ("Refunds are possible within 30 days of delivery.", ("30 day",), False),
    ("It takes 2 1/2 hours.", ("2.5 hour",), False),
    ("It takes two and a half hours.", ("2.5 hour",), False),
    ("It lasted an hour and a half.", ("1.5 hour",), False),
    ("The trip lasts 1 hour 45 minutes.", ("1.75 hour",), False),
    ("He was away for a week.", ("1 week",), False),
    ("Half an hour is enough.", ("0.5 hour",), False),
    ("There is a 14-day notice period.", ("14 day",), False),
    ("The term is twelve months.", ("12 month",), False),
    ("Reply within ten working days.", ("10 working_day",), False),
    ("The speed limit is 50 km/h.", ("50 km/hour",), False),
    ("Delivery takes 3 to 5 days.", ("3 day", "5 day"), False),
    ("The bag may hold 20-25 kg.", ("20 kg", "25 kg"), False),
    ("The hall is 120 square metres large.", ("120 m*m",), False),
    # dates
    ("It starts on 1 March 2026.", ("2026-03-01",), False),
    ("It starts on March 1st, 2026.", ("2026-03-01",), False),
    ("It was signed on the 31st of January 2026.", ("2026-01-31",), False),
    ("Due date: 2026-03-01.", ("2026-03-01",), False),
    ("The invoice of 31.03.2026 is open.", ("2026-03-31",), False),
    ("The invoice of 03/04/2026 is open.", (), True),
    ("He comes on 5 May.", (), True),
    ("The fair is from 3 to 7 June 2026.", ("2026-06-03", "2026-06-07"), False),
    # times and moments
    ("The office opens at 9 am.", ("09:00",), False),
    ("The train leaves at 5:30 pm.", ("17:30",), False),
    ("We close at 17:30.", ("17:30",), False),
    ("Lunch is at noon.", ("12:00",), False),
    ("We meet at half past two in the afternoon.", ("14:30",), False),
    ("It is open between 9:00 and 17:30.", ("09:00", "17:30"), False),
    ("The call is on 1 March 2026 at 5:30 pm.", ("2026-03-01T17:30",), False),
)
