"""A policy as plain data in the form of its file. Drafts are pieces of such data, which are joined part by part."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from holdtrue.errors import InputError

Data = dict[str, Any]
DECLARED = ("facts", "said", "tables")
"""The sections that only give words to the parts that decide."""
NAMED = ("rules", "limits", "obligations")
LISTED = ("rules", "limits", "obligations", "effects", "not_checked")


def merged(one: Data, other: Data, where: str = "") -> Data:
    """Return the data of both. Equal parts become one that stands for the sentences of both.

    Raises `InputError` if both declare a name, and differ.
    """
    found = dict(one)
    for key, own in other.items():
        known = found.get(key)
        if known is None:
            found[key] = own
        elif isinstance(own, list):
            found[key] = _listed(known, own)
        elif isinstance(own, dict) and where in DECLARED:
            if without_sentences(known) != without_sentences(own):
                raise InputError(f"{where}.{key} is declared already, and otherwise: take it, or another name")
            found[key] = _citing(known, own)
        else:
            found[key] = merged(known, own, key) if isinstance(own, dict) else own
    return found


def _listed(known: list[Any], more: list[Any]) -> list[Any]:
    found = list(known)
    for own in more:
        place = next(
            (place for place, each in enumerate(found) if without_sentences(each) == without_sentences(own)), None
        )
        if place is None:
            found.append(own)
        elif isinstance(own, dict):
            found[place] = _citing(found[place], own)
    return found


def without_sentences(part: Any) -> Any:
    """Return a part as it decides, whatever it stands for."""
    return {name: own for name, own in part.items() if name != "sentences"} if isinstance(part, dict) else part


def _citing(one: Data, other: Data) -> Data:
    numbers = sorted({*one.get("sentences", ()), *other.get("sentences", ())})
    return {**one, "sentences": numbers} if numbers else one


def without(data: Data, number: int) -> Data:
    """Return the data without the parts that decide for a sentence. A part keeps its other sentences."""
    found = {**data, **{key: _left(data[key], number) for key in LISTED if key in data}}
    tools = data.get("tools", {})
    return {**found, "tools": {**tools, "consent": _left(tools["consent"], number)}} if "consent" in tools else found


def _left(parts: list[Data], number: int) -> list[Data]:
    cited = [(own, [each for each in own.get("sentences", ()) if each != number]) for own in parts]
    return [
        {**own, "sentences": rest} if rest else own
        for own, rest in cited
        if rest or number not in own.get("sentences", ())
    ]


def words_before(data: Data, number: int) -> Data:
    """Return the data without parts that decide, and with only the words declared by sentences before this one."""
    found = {key: own for key, own in data.items() if key not in (*DECLARED, *LISTED)}
    found["tools"] = {key: own for key, own in data.get("tools", {}).items() if key != "consent"}
    for key in DECLARED:
        found[key] = {name: own for name, own in data.get(key, {}).items() if first_of(own) < number}
    return found


def first_of(part: Any) -> int:
    """Return the first sentence that a part stands for, or 0."""
    return min(part.get("sentences") or [0]) if isinstance(part, dict) else 0


def with_ids(fragment: Data, taken: Collection[str], number: int) -> Data:
    """Return a fragment whose rules, limits and obligations have ids that are not taken."""
    used, found = set(taken), dict(fragment)
    for key in NAMED:
        for place, own in enumerate(fragment.get(key, ())):
            id = own["id"]
            while id in used:
                id = f"{id}-{number}"
            used.add(id)
            found[key] = [*found[key][:place], {**own, "id": id}, *found[key][place + 1 :]]
    return found


def ids(data: Data) -> Iterator[str]:
    """Yield the ids of the rules, limits and obligations."""
    yield from (own["id"] for key in NAMED for own in data.get(key, ()))
