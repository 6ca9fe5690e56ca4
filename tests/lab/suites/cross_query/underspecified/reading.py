"""A reader of the plain English of the underspecified cases, which turns a clause into a test of a world's values.

It knows words and no constraint types, so that phrasings can be compared with formulas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

Values = Mapping[str, int]
Meaning = Callable[[Values], bool]
Rows = tuple[tuple[str, Callable[..., Meaning]], ...]


def read(rows: Rows, text: str) -> Meaning:
    """Return the meaning in the first fitting row; E is a name, X a thing, N a number."""
    for pattern, make in rows:
        for mark, names in (("E", r"([A-Z]\w+)"), ("X", r"(\w[\w ]*)"), ("C", r"the (\w+)"), ("N", r"(\d+)")):
            pattern = re.sub(rf"\b{mark}\b", lambda _, names=names: names, pattern)  # type: ignore[misc]
        if found := re.fullmatch(pattern, text):
            return make(*found.groups())
    raise AssertionError(f"cannot be read: {text}")


def has(who: str, what: str) -> Meaning:
    return lambda values: values[f"{who}.{what}"] == 1


def lacks(who: str, what: str) -> Meaning:
    return lambda values: values[f"{who}.{what}"] == 0


def diagnosis(patients: Sequence[str], conditions: Sequence[str]) -> Rows:
    def everybody(what: str, then: str) -> Meaning:
        return lambda values: all(values[f"{p}.{then}"] for p in patients if values[f"{p}.{what}"])

    def nobody(one: str, other: str) -> Meaning:
        return lambda values: not any(values[f"{p}.{one}"] and values[f"{p}.{other}"] for p in patients)

    def turned(make: Callable[[str, str], Meaning]) -> Callable[[str, str], Meaning]:
        return lambda what, who: make(who, what)

    def either(who: str, one: str, other: str) -> Meaning:
        return lambda values: bool(values[f"{who}.{one}"] or values[f"{who}.{other}"])

    def condition(who: str, values: Values) -> str:
        (own,) = (name for name in conditions if values[f"{who}.{name}"])
        return own

    def same(one: str, other: str) -> Meaning:
        return lambda values: condition(one, values) == condition(other, values)

    def different(one: str, other: str) -> Meaning:
        return lambda values: condition(one, values) != condition(other, values)

    return (
        (r"if a patient has X, then that patient has X", everybody),
        (r"if a patient has X, then that patient does not have X", nobody),
        (r"a patient has X only if that patient has X", everybody),
        (r"whoever has X does not have X", nobody),
        (r"whoever has X has X", everybody),
        (r"everybody with X also has X", everybody),
        (r"nobody has both X and X", nobody),
        (r"no patient with X has X", nobody),
        (r"E and E have the same condition", same),
        (r"E and E have different conditions", different),
        (r"the condition of E is the same as that of E", same),
        (r"the condition of E is not the same as that of E", different),
        (r"E has whatever condition E has", same),
        (r"E does not have the condition that E has", different),
        (r"E does not differ from E in condition", same),
        (r"E differs from E in condition", different),
        (r"one of X and X is what E has", lambda one, other, who: either(who, one, other)),
        (r"it is X or X that E has", lambda one, other, who: either(who, one, other)),
        (r"(?:the condition of )?E (?:has|is|suffers from) (?:either )?X or X", either),
        (r"it is not X that E has", turned(lacks)),
        (r"it is X that E has", turned(has)),
        (r"one of the symptoms of E is X", has),
        (r"none of the symptoms of E is X", lacks),
        (r"the symptoms of E include X", has),
        (r"the symptoms of E do not include X", lacks),
        (r"the condition of E is not X", lacks),
        (r"the condition of E is X", has),
        (r"X is not (?:what|a symptom that) E has", turned(lacks)),
        (r"X is (?:what|a symptom that) E has", turned(has)),
        (r"E belongs to the patients with X", has),
        (r"E does not belong to the patients with X", lacks),
        (r"E does not (?:have|suffer from) X", lacks),
        (r"E (?:has|suffers from) X", has),
        (r"X always comes with X", everybody),
        (r"X never comes with X", nobody),
    )


def investigation(suspects: Sequence[str]) -> Rows:
    def guilty(who: str) -> Meaning:
        return has(who, "guilty")

    def innocent(who: str) -> Meaning:
        return lacks(who, "guilty")

    def culprit_has(what: str) -> Meaning:
        return lambda values: all(values[f"{who}.{what}"] for who in suspects if values[f"{who}.guilty"])

    def culprit_lacks(what: str) -> Meaning:
        return lambda values: not any(values[f"{who}.{what}"] for who in suspects if values[f"{who}.guilty"])

    def only_culprit(what: str) -> Meaning:
        return lambda values: not any(values[f"{who}.{what}"] for who in suspects if not values[f"{who}.guilty"])

    def one_of(one: str, other: str) -> Meaning:
        return lambda values: guilty(one)(values) or guilty(other)(values)

    def neither(one: str, other: str) -> Meaning:
        return lambda values: innocent(one)(values) and innocent(other)(values)

    def alike(one: str, other: str, what: str) -> Meaning:
        return lambda values: values[f"{one}.{what}"] == values[f"{other}.{what}"]

    did_it = r"(?:guilty|the culprit|the one who did it)"
    somebody = r"(?:the guilty one|the culprit|the one who did it)"
    return (
        (r"a suspect is guilty only if that suspect has X", culprit_has),
        (r"a suspect is guilty only if that suspect does not have X", culprit_lacks),
        (r"a suspect has X only if that suspect is guilty", only_culprit),
        (r"(?:the guilty one|the culprit|whoever is guilty) (?:does not have|lacks) X", culprit_lacks),
        (r"(?:the guilty one|the culprit|whoever is guilty) has X", culprit_has),
        (r"anybody without X is innocent", culprit_has),
        (r"anybody with X is innocent", culprit_lacks),
        (r"anybody with X is the culprit", only_culprit),
        (r"whoever has X is guilty", only_culprit),
        (r"to have X is to be guilty", only_culprit),
        (r"no innocent suspect has X", only_culprit),
        (r"either both E and E have X, or neither (?:of them does|has it)", alike),
        (r"E has X if and only if E does", lambda one, what, other: alike(one, other, what)),
        (r"E has X exactly if E has", lambda one, what, other: alike(one, other, what)),
        (r"if one of E and E has X, then so does the other", alike),
        (rf"(?:either )?E or E is {did_it}", one_of),
        (rf"{somebody} is (?:either )?E or E", one_of),
        (r"one of E and E is guilty", one_of),
        (r"neither E nor E is guilty", neither),
        (r"E and E are both innocent", neither),
        (rf"{somebody} is neither E nor E", neither),
        (r"E is innocent and so is E", neither),
        (rf"{somebody} is not E", innocent),
        (rf"{somebody} is E", guilty),
        (r"it is not E who is guilty", innocent),
        (r"it is E who is guilty", guilty),
        (rf"E is not {did_it}", innocent),
        (rf"E is {did_it}", guilty),
        (r"E is innocent", innocent),
        (r"one of the suspects with X is E", lambda what, who: has(who, what)),
        (r"none of the suspects with X is E", lambda what, who: lacks(who, what)),
        (r"it is true of E to have X", has),
        (r"E is not among those who have X", lacks),
        (r"E is among those who have X", has),
        (r"E is a suspect with X", has),
        (r"E is a suspect without X", lacks),
        (r"E (?:does not have|lacks) X", lacks),
        (r"E has X", has),
    )


def fault(components: Sequence[str]) -> Rows:
    def works(name: str) -> Meaning:
        return has(name, "state")

    def faulty(name: str) -> Meaning:
        return lacks(name, "state")

    def loud(name: str) -> Meaning:
        return has(name, "alarm")

    def silent(name: str) -> Meaning:
        return lacks(name, "alarm")

    def implies(one: Meaning, other: Meaning) -> Meaning:
        return lambda values: not one(values) or other(values)

    def needs(name: str, *others: str) -> Meaning:
        return lambda values: faulty(name)(values) or any(works(other)(values) for other in others)

    def takes_down(*names: str) -> Meaning:
        return needs(names[-1], *names[:-1])

    def no_false_alarm(name: str, *_: str) -> Meaning:
        return implies(loud(name), faulty(name))

    def no_missed_fault(name: str, *_: str) -> Meaning:
        return implies(faulty(name), loud(name))

    def both(one: str, other: str) -> Meaning:
        return lambda values: works(one)(values) and works(other)(values)

    def some_faulty(one: str, other: str) -> Meaning:
        return lambda values: not both(one, other)(values)

    def at_most(number: str) -> Meaning:
        return lambda values: sum(faulty(name)(values) for name in components) <= int(number)

    def at_least(number: str) -> Meaning:
        return lambda values: sum(faulty(name)(values) for name in components) >= int(number)

    number = r"the (?:number|count) of (?:faulty components|components that do not work)"
    either = r"(?:at least one of )?C (?:and|or) C"
    return (
        (rf"C works only if {either} works", needs),
        (r"C works only if C works", needs),
        (r"C depends on C", needs),
        (rf"C depends on having {either} in working order", needs),
        (r"if C is faulty, then so is C", takes_down),
        (r"if C and C are both faulty, then so is C", takes_down),
        (rf"C does not work unless {either} does", needs),
        (r"C does not work unless C does", needs),
        (r"a fault of C makes C faulty as well", takes_down),
        (r"the alarm of C is on only if C is faulty", no_false_alarm),
        (r"as long as C works, its alarm is off", no_false_alarm),
        (r"the alarm of C is never on while C works", no_false_alarm),
        (r"if the alarm of C is on, then C is faulty", no_false_alarm),
        (r"if C is faulty, then its alarm is on", no_missed_fault),
        (r"the alarm of C is off only if C works", no_missed_fault),
        (r"the alarm of C is never off while C is faulty", no_missed_fault),
        (r"if the alarm of C is off, then C works", no_missed_fault),
        (r"the alarm (?:of|that belongs to) C is on", loud),
        (r"the alarm (?:of|that belongs to) C is off", silent),
        (r"C (?:has its alarm|is a component whose alarm is) on", loud),
        (r"C (?:has its alarm|is a component whose alarm is) off", silent),
        (r"(?:it is not the case that )C and C (?:both work)", some_faulty),
        (r"C and C do not both work", some_faulty),
        (r"at least one of C and C is faulty", some_faulty),
        (r"C or C is faulty(?:, or both are)?", some_faulty),
        (r"(?:both )?C and C (?:both )?work", both),
        (r"neither C nor C is faulty", both),
        (r"C works and so does C", both),
        (rf"{number} (?:is at most|does not exceed|is no greater than) N", at_most),
        (rf"{number} is N or less", at_most),
        (rf"{number} (?:is at least|is not below|is no less than) N", at_least),
        (rf"{number} is N or more", at_least),
        (r"C works|C is not faulty", lambda *names: works(next(filter(None, names)))),
        (r"C (?:is one of the components that work|is in working order)", works),
        (r"one of the working components is C", works),
        (r"C (?:is faulty|does not work|is one of the faulty components)", faulty),
        (r"there is a fault in C", faulty),
        (r"one of the faulty components is C", faulty),
    )
