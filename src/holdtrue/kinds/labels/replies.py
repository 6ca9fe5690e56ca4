"""Read labels in a model's reply. This never raises.

Anywhere in the text, it accepts `{id: label}`, `{id: {"label": label, "confidence": 0.9}}`, and rows `{"id": id,
"label": label, "confidence": 0.9}`. For a single query, it also accepts `{"label": label}` or a bare label. If several
pieces of JSON answer a query, the last one counts, since models draft before they decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.kinds.labels.prompts import WORDING, Words
from holdtrue.record import Label
from holdtrue.world.answer import Unparsed
from holdtrue.world.lenient_json import JsonObject, objects, strip_thinking

_NAMES: Mapping[Label, tuple[str, ...]] = {
    Label.ENTAILED: ("entailed", "entailment", "entails", "true", "yes"),
    Label.CONTRADICTED: ("contradicted", "contradiction", "contradicts", "contradictory", "false", "no"),
    Label.UNKNOWN: ("unknown", "uncertain", "undetermined", "neutral", "unsure", "cannot be determined"),
}
_LABELS: Mapping[str, Label] = {name: label for label, names in _NAMES.items() for name in names}
_LABEL_KEYS = ("label", "answer", "verdict", "value")
_CONFIDENCE_KEYS = ("confidence", "probability", "certainty")
_ID_KEYS = ("id", "query_id")
_WRAPPERS = frozenset({"answers", "answer", "result", "results", "response", "output"})
# The most characters of a label or a confidence.
_LONGEST = 80
# The most characters read of the last line, since a pattern anchored at its end would try every start.
_TAIL = 200
_ASIDE = re.compile(r"[(,;:]|\s[-\u2013\u2014]\s")
_NUMBER = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,18})?|\.[0-9]{1,18})\s*(%?)")
_CONFIDENCE = re.compile(r"\bconfidence\b[^0-9.\n]{0,20}(?P<number>[0-9.]{1,20}\s?%?)?", re.IGNORECASE)
_LAST_WORD = re.compile(r"([A-Za-z]+)[^A-Za-z]*\Z")
_NEGATION = re.compile(r"\b(?:not|never|cannot|neither|nor)\b|n['\u2019]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LabelReading:
    """The labels in a reply by query id, its confidences (0..1) if it gave any, and the unanswered queries.

    `none` says why the reply is not an answer. It is None for an answer.
    """

    labels: Mapping[str, Label]
    confidence: Mapping[str, float]
    missing: tuple[str, ...]
    none: Unparsed | None = None


def read_labels(text: str | Unparsed, ids: Sequence[str], words: Words) -> LabelReading:
    """Return the labels that a reply gives to the queries `ids`. This takes linear time.

    Labels may have any case, and their usual synonyms are accepted. A query that one piece of JSON gives two different
    labels counts as missing. Unknown ids are ignored.
    """
    if isinstance(text, Unparsed):
        return LabelReading({}, {}, tuple(ids), text)
    reply = strip_thinking(text)
    sheet = _Sheet(ids)
    found = objects(reply)
    for piece in found:
        sheet.fill(piece)
    if sheet.alone is not None and not any(isinstance(piece, JsonObject) for piece in found):
        sheet.given.setdefault(sheet.alone, _read_bare(reply, words))
    given = {id: sheet.given[id] for id in ids if id in sheet.given}
    labels = {id: answer.label for id, answer in given.items() if answer.label is not None}
    sure = {id: answer.confidence for id, answer in given.items() if id in labels and answer.confidence is not None}
    return LabelReading(labels, sure, tuple(id for id in ids if id not in labels))


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer to one query. Its label is None if there is none, or if there are two different ones."""

    label: Label | None = None
    confidence: float | None = None


class _Sheet:
    """The answers so far by query id. `alone` is the id of the query if there is only one."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.known = {_fold(id): id for id in ids}
        self.alone = ids[0] if len(ids) == 1 else None
        self.given: dict[str, _Answer] = {}

    def fill(self, piece: object) -> None:
        """Add the answers in one piece of JSON. They replace earlier ones."""
        given: dict[str, _Answer] = {}
        for id, answer in self._answers(piece):
            if answer.label is None:
                continue
            clash = id in given and given[id].label is not answer.label
            given[id] = _Answer() if clash else answer
        self.given |= given

    def _answers(self, piece: object) -> Iterator[tuple[str, _Answer]]:
        # The flag says whether a value may be an answer without an id; a value under an unrelated key may not.
        waiting = [(piece, self.alone is not None)]
        while waiting:
            value, free = waiting.pop()
            if isinstance(value, list):
                waiting += [(inner, free) for inner in reversed(value)]
            elif isinstance(value, JsonObject):
                row = self._row(value, free)
                for answer in _read_object(value):
                    if row is not None:
                        yield row, answer
                for key, inner in reversed(value.members):
                    id = self.known.get(_fold(key))
                    if id is None:
                        waiting.append((inner, free and _fold(key) in _WRAPPERS))
                    else:
                        for answer in _read_answer(inner):
                            yield id, answer

    def _row(self, value: JsonObject, free: bool) -> str | None:
        """Return the query whose id an object has. An object without an id answers the only query if it is `free`."""
        texts = [text for key in _ID_KEYS if isinstance(text := value.get(key), str)]
        found = (self.known.get(_fold(text)) for text in texts)
        return next((id for id in found if id is not None), self.alone if free and not texts else None)


def _fold(key: str) -> str:
    return key.strip().casefold()


def _read_answer(value: object) -> list[_Answer]:
    """Return the answer for an id, or several if a key is repeated."""
    if isinstance(value, JsonObject):
        return _read_object(value)
    if isinstance(value, list) and len(value) == 2:
        return [_Answer(_read_label(value[0]), _read_confidence(value[1]))]
    return [_Answer(_read_label(value))]


def _read_object(value: JsonObject) -> list[_Answer]:
    sure = next((inner for key, inner in value.members if _fold(key) in _CONFIDENCE_KEYS), None)
    labels = (_read_label(inner) for key, inner in value.members if _fold(key) in _LABEL_KEYS)
    return [_Answer(label, _read_confidence(sure)) for label in labels]


def _read_label(value: object) -> Label | None:
    """Return the label that a value means, or None."""
    if isinstance(value, bool):
        return Label.ENTAILED if value else Label.CONTRADICTED
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    # A reason may follow the label: "UNKNOWN (no premise mentions it)".
    word = _ASIDE.split(value.casefold(), maxsplit=1)[0]
    return _LABELS.get(" ".join(word.split()).strip(" .!*`'\"<>"))


def _read_confidence(value: object) -> float | None:
    """Return a confidence in 0..1, or None. A number above 1 is read as percent."""
    number, percent = value, False
    if isinstance(value, str) and len(value) <= _LONGEST and (found := _NUMBER.fullmatch(value.strip())):
        number, percent = float(found[1]), bool(found[2])
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return None
    share = number / 100 if percent or number > 1 else float(number)
    # NaN fails both comparisons.
    return share if 0 <= share <= 1 else None


def _read_bare(text: str, words: Words) -> _Answer:
    """Return the label that is the whole text, or the last word of its last line in the requested wording.

    A separate line may give the confidence.
    """
    said = list(_CONFIDENCE.finditer(text))
    sure = said[-1]["number"] if said else None
    plain = [stripped for line in text.splitlines() if (stripped := _CONFIDENCE.sub("", line).strip(" \t*#`\"'().,;"))]
    if not plain:
        return _Answer()
    last = plain[-1][-_TAIL:]
    label = _read_label(last) if len(plain) == 1 else None
    if label is None and not _NEGATION.search(last) and not set("{}[]") & set(last):
        end = _LAST_WORD.search(last)
        named = {name.casefold(): label for label, name in WORDING[words].items()}
        label = named.get(end[1].casefold()) if end else None
    return _Answer(label, _read_confidence(sure.strip().rstrip(".")) if sure else None)
