"""Alerts say in words which units, dates and things do not go together."""

from __future__ import annotations

import pytest

from holdtrue.errors import FormulaError
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary

WORDS = Vocabulary(
    (Entity("Ann", "guest"), Entity("Desk")),
    (Predicate("Came", ("guest",)), Predicate("Heavy", ("kg",)), Predicate("Near", ("date",))),
    (
        Function("price", ("guest",), result="EUR"),
        Function("cost", (ANY,), result="USD"),
        Function("weight", (ANY,), result="kg"),
        Function("nights", ("guest",), result="whole night"),
        Function("rate", (), result="EUR/night"),
        Function("sent", (ANY,), result="date"),
        Function("opens", (), result="time"),
        Function("left", (), result="moment"),
        Function("boss", ("guest",), result="guest"),
        Function("n", ("guest",), result="whole"),
    ),
)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("price(Ann) + cost(Ann) > 3 EUR", "cost.Ann. is an amount in USD"),
        ("weight(Ann) < 3 day", "3 day is an amount in day"),
        ("price(Ann) = 3", "3 is a whole number"),
        ("sent(Ann) + sent(Desk) > 2026-03-01", "only their difference"),
        ("sent(Ann) - 3 = 2026-03-01", "3 is a whole number, which cannot be added to a date"),
        ("sent(Ann) = 14:30", "is a time"),
        ("sent(Ann) + 2 kg = 2026-03-01", "2 kg is an amount in kg"),
        ("left - opens > 2 hour", "time"),
        ("left = 2026-03-01", "is a date"),
        ("count x in kg (Came(x)) > 2", "kg is a sort of values"),
        ("boss(Ann) < 3", "boss.Ann. is a guest"),
        ("boss(Ann) < boss(boss(Ann))", "boss.Ann. is a guest"),
        ("boss(Ann) = 3", "boss.Ann. is a guest|3 is no thing"),
        ("Ann < Desk", "is a thing"),
        ("Ann + 1 = 2", "Ann is a thing"),
        ("if(Came(Ann), 1 kg, 1 day) = 1 kg", "1 day is an amount in day"),
        ("if(Came(Ann), Ann, 3 kg) = Ann", "3 kg"),
        ("min(1 kg, 2 day) = 1 kg", "2 day is an amount in day"),
        ("max(sent(Ann), 3 day) = 2026-03-01", "3 day is an amount in day"),
        ("abs(sent(Ann)) = 3", "sent.Ann. is a date"),
        ("div(weight(Ann), 2 kg) = 3", "needs whole numbers of one unit"),
        ("mod(n(Ann), n(Ann)) = 0", "divides only by one"),
        ("mod(n(Ann), 2 night) = 0", "2 night is an amount in night"),
        ("nights(Ann) * rate > 3 kg", "kg"),
        ("sum x in guest (sent(x)) > 3", "sent.x. is a date"),
        ("sum x in guest (boss(x)) > 3", "boss.x. is a guest"),
        ("Came(3 kg)", "3 kg is no thing|only a thing can"),
        ("Came(nights(Ann))", "stands where only a thing can"),
        ("Heavy(Ann)", "Ann is a thing"),
        ("Heavy(3 day)", "Heavy needs an amount in kg"),
        ("Near(Ann)", "Ann is a thing"),
        ("Near(14:30)", "Near needs a date"),
        ("Came(Eve)", "Eve is no thing"),
        ("forall x in desk Came(x)", "desk is no sort"),
        ("Came(Ann, Ann)", "takes 1 arguments, got 2"),
        ("1 month < 30 day", "30 day is an amount in day"),
        ("sent(Ann) = sent(Desk) + 0.5 * 1 month", "1 month is an amount in month, which cannot be added to a date"),
        ("sent(Ann) = sent(Desk) + 36 hour", "36 hour is an amount in hour, which cannot be added to a date"),
        ("sent(Ann) = sent(Desk) + 0.5 * 1 day", "1 day is an amount in day, which cannot be added to a date"),
        ("sent(Ann) = sent(Desk) + 1 month + 1 day", "brackets have to show which comes first"),
        ("weight(Ann) = 5 Mg", "5 Mg is an amount in Mg"),
        ("weight(Ann) = 5 ms", "5 ms is an amount in ms"),
        ("Came(x)", "x is a variable"),
    ],
)
def test_what_does_not_go_together_is_told(text: str, says: str) -> None:
    sentence = read_fol(text).sentence
    assert sentence is not None
    with pytest.raises(FormulaError, match=says):
        state(sentence, WORDS)


@pytest.mark.parametrize(
    "text",
    [
        "price(Ann) + 50 eurocent >= 3 EUR",
        "weight(Ann) < 70000 g",
        "nights(Ann) * rate <= 240 EUR",
        "10 mg/kg * weight(Ann) <= 0.5 g",
        "sent(Ann) - sent(Desk) <= 30 day",
        "sent(Ann) + 2 week > 2026-03-01",
        "opens + 90 minute < 14:30",
        "left + 2 hour > 2026-03-01T14:30",
        "price(Ann) > 0",
        "price(Ann) <= 15% * price(Ann)",
        "if(Came(Ann), Ann, boss(Ann)) = boss(boss(Ann))",
        "min(1 kg, 200 g, weight(Desk)) = weight(Ann)",
        "12 month = 1 year",
        "2026-01-31 + 1 month = 2026-02-28",
        "Heavy(2 * weight(Ann) + 1 g)",
        "Near(sent(Ann) + 1 day)",
        "sent(Ann) = (sent(Desk) + 1 month) + 1 day",
        "sent(Ann) = sent(Desk) + 48 hour",
        "sent(Ann) = sent(Desk) + 0.5 * 2 month",
        "sent(Ann) - sent(Desk) = 36 hour",
        "weight(Ann) = 5 KGs",
        "div(nights(Ann), 7 night) = 2",
    ],
)
def test_what_goes_together_has_a_meaning(text: str) -> None:
    sentence = read_fol(text).sentence
    assert sentence is not None
    state(sentence, WORDS)
