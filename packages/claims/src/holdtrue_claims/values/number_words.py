"""Read an English number: in digits, in words, as a fraction or as an ordinal, always exactly.

Each reader takes a text and a position. It returns the number that begins there with its end, or None. An ambiguous
number comes with its `choices` and without a value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class NumberText:
    """A number in a text, which ends at `end`. `value` is None if it is one of the `choices`, or cannot be read.

    `why` explains the doubt in words.
    """

    value: Fraction | None
    end: int
    choices: tuple[Fraction, ...] = ()
    why: str = ""


_ONES = dict(
    zip(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split(),
        range(20),
        strict=True,
    )
)
_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_DOZEN = 12
_PARTS = {
    **dict(zip(("half", "third", "quarter"), (2, 3, 4), strict=True)),
    **dict(zip(("fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), range(4, 11), strict=True)),
    "twelfth": 12,
    "twentieth": 20,
    "hundredth": 100,
    "thousandth": 1000,
}
"""The names of parts, as in two thirds."""
_ORDINALS = {
    **dict(
        zip(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
            "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
            range(1, 21),
            strict=True,
        )
    ),
    **dict(
        zip(
            "thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth".split(),
            range(30, 100, 10),
            strict=True,
        )
    ),
    "hundredth": 100,
}
_SIGNS = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅛": (1, 8), "⅜": (3, 8)}

_WORD = re.compile(r"[A-Za-z]+")
_JOINT = re.compile(r"(?:\s+|-)(?P<and>and\s+)?")
_DIGITS = re.compile(r"\d+(?:[.,'’]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:['’]\d{3})+(?:\.\d+)?")
_CONTINENTAL = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}")
_COMMA = re.compile(r"\d+,(?:\d{1,2}|\d{4,})|0,\d+")
_COMMAS_ARE_POINTS = re.compile(r"(?<![\d.,])\d+(?:\.\d{3})*,\d{1,2}(?![\d,])")
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+(?![\d.,]\d|\d)")
_THIN = re.compile("\\d{1,3}(?:[\u00a0\u2009\u202f]\\d{3})+(?!\\d)")
_RATIO = re.compile(r"(?P<over>\d+)\s?[/\u2044]\s?(?P<under>\d+)(?![\d/])")
_MIXED = re.compile(r"[ -](?P<over>\d+)[/\u2044](?P<under>\d+)(?![\d/])")
_AND_A_PART = re.compile(r"\s+and\s+(?P<over>an?|one|three)[ -](?P<part>half|third|quarter|quarters)\b")
_HALF_DOZEN = re.compile(r"half\s+an?\s+dozen\b", re.IGNORECASE)
_PART = re.compile(rf"[ -](?P<part>halves|(?:{'|'.join(_PARTS)})s?)\b", re.IGNORECASE)
_OF = re.compile(r"\s+of\b")
_ORDINAL_DIGITS = re.compile(r"(\d+)(st|nd|rd|th)\b", re.IGNORECASE)
_SCALED = re.compile(r"\s+(?P<scale>hundred|thousand|million|billion|dozen)\b", re.IGNORECASE)


def read_number(text: str, at: int) -> NumberText | None:
    """Return the number at a position of a text: `1,250.5`, `2 1/2`, `two thirds`, `half`, `a dozen`.

    `a` and `an` are numbers only before hundred, thousand, million, billion and dozen.
    """
    if match := _HALF_DOZEN.match(text, at):
        return NumberText(Fraction(_DOZEN, 2), match.end())
    found = _digits(text, at) if text[at : at + 1].isdigit() else _sign(text, at) or _spelled(text, at)
    if found is None:
        return _part_alone(text, at)
    return _with_part(text, found)


def read_ordinal(text: str, at: int) -> NumberText | None:
    """Return the ordinal at a position of a text: `3rd`, `third`, `twenty-first`."""
    if match := _ORDINAL_DIGITS.match(text, at):
        number = int(match[1])
        tail = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number // 10 % 10 != 1 else "th"
        why = "" if match[2].casefold() == tail else f"{match[0]} is written neither as a number nor as an ordinal"
        return NumberText(None if why else Fraction(number), match.end(), why=why)
    word = _WORD.match(text, at)
    if word is None:
        return None
    small = word[0].casefold()
    if small in _ORDINALS:
        return NumberText(Fraction(_ORDINALS[small]), word.end())
    joint = _JOINT.match(text, word.end())
    following = _WORD.match(text, joint.end()) if joint else None
    if small in _TENS and following and _ORDINALS.get(following[0].casefold(), 10) < 10:
        return NumberText(Fraction(_TENS[small] + _ORDINALS[following[0].casefold()]), following.end())
    return None


def _digits(text: str, at: int) -> NumberText | None:
    if (ratio := _RATIO.match(text, at)) is not None:
        over, under = int(ratio["over"]), int(ratio["under"])
        if not 0 < over < under:
            return NumberText(None, ratio.end(), why="it is no fraction below 1")
        return NumberText(Fraction(over, under), ratio.end())
    if (thin := _THIN.match(text, at)) is not None:
        return NumberText(Fraction(re.sub(r"\D", "", thin[0])), thin.end())
    if (spaced := _SPACED.match(text, at)) is not None:
        whole = Fraction(spaced[0].replace(" ", ""))
        return NumberText(None, spaced.end(), (whole,), "it may be one number or several")
    match = _DIGITS.match(text, at)
    if match is None:
        return None
    found = _decimal(match[0], text, match.end())
    if found.value is None:
        return found
    if (sign := text[found.end : found.end + 1]) in _SIGNS:
        return NumberText(found.value + Fraction(*_SIGNS[sign]), found.end + 1)
    mixed = _MIXED.match(text, found.end) if found.value.denominator == 1 else None
    if mixed is not None and 0 < int(mixed["over"]) < int(mixed["under"]):
        return NumberText(found.value + Fraction(int(mixed["over"]), int(mixed["under"])), mixed.end())
    return _scaled(text, found)


def _decimal(written: str, text: str, end: int) -> NumberText:
    """Return the number of digits with points, commas or apostrophes between them."""
    if written.isdigit():
        return NumberText(Fraction(written), end)
    if _CONTINENTAL.fullmatch(written):
        return NumberText(Fraction(written.replace(".", "").replace(",", ".")), end)
    if _THOUSANDS.fullmatch(written):
        grouped = Fraction(re.sub(r"[,'’]", "", written))
        if re.fullmatch(r"\d+,\d{3}", written):
            if written.startswith("0"):
                return NumberText(Fraction(written.replace(",", ".")), end)
            if _COMMAS_ARE_POINTS.search(text):
                choices = (grouped, Fraction(written.replace(",", ".")))
                return NumberText(None, end, choices, "its comma may group digits or be a decimal point")
        return NumberText(grouped, end)
    if re.fullmatch(r"\d+\.\d+", written):
        exact = Fraction(written)
        if re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", written) and _COMMAS_ARE_POINTS.search(text):
            choices = (exact, Fraction(written.replace(".", "")))
            return NumberText(None, end, choices, "its point may group digits or be a decimal point")
        return NumberText(exact, end)
    if _COMMA.fullmatch(written):
        return NumberText(Fraction(written.replace(",", ".")), end)
    return NumberText(None, end, why="its points and commas make no number")


def _scaled(text: str, found: NumberText) -> NumberText:
    """Return a number in digits multiplied by the word behind it: 1.5 million."""
    match = _SCALED.match(text, found.end)
    if match is None or found.value is None:
        return found
    word = match["scale"].casefold()
    return NumberText(found.value * (_DOZEN if word == "dozen" else _SCALES[word]), match.end())


def _sign(text: str, at: int) -> NumberText | None:
    over = _SIGNS.get(text[at : at + 1])
    return None if over is None else NumberText(Fraction(*over), at + 1)


def _spelled(text: str, at: int) -> NumberText | None:
    """Return the longest number in words at a position."""
    word = _WORD.match(text, at)
    if word is None:
        return None
    spelling = _Spelling()
    end = at
    if word[0].casefold() in ("a", "an"):
        spelling.current, end = 1, word.end()
        joint = _JOINT.match(text, end)
        word = _WORD.match(text, joint.end()) if joint and not joint["and"] else None
        if word is None or word[0].casefold() not in (*_SCALES, "dozen"):
            return None
    while word is not None and spelling.take(word[0].casefold()):
        end = word.end()
        joint = _JOINT.match(text, end)
        if joint is None or (joint["and"] and not spelling.joins):
            break
        word = _WORD.match(text, joint.end())
        if joint["and"] and word is not None and word[0].casefold() not in (*_ONES, *_TENS):
            break
    return NumberText(Fraction(spelling.total + spelling.current), end) if spelling.words else None


class _Spelling:
    """The state of a number in words: `total` is complete, and a scale may still multiply `current`."""

    def __init__(self) -> None:
        self.total = self.current = self.words = 0
        self._least = 10**12  # the last scale; the next one must be smaller
        self._ended = False

    @property
    def joins(self) -> bool:
        """Return whether `and` may continue the number: one hundred and five."""
        return not self._ended and (self.current % 100 == 0 and self.current + self.total > 0)

    def take(self, word: str) -> bool:
        """Add a word if it can continue the number, and return whether it did."""
        if self._ended:
            return False
        if word in _ONES:
            taken = self.words == 0 or self._open(10 if _ONES[word] in range(1, 10) else 100)
            self.current += _ONES[word] if taken else 0
            self._ended = taken and word == "zero"
        elif word in _TENS:
            taken = self._open(100)
            self.current += _TENS[word] if taken else 0
        elif word == "dozen":
            taken = self.current > 0
            self.current, self._ended = (self.current * _DOZEN, True) if taken else (self.current, self._ended)
        elif word == "hundred":
            taken = 0 < self.current < 100
            self.current *= 100 if taken else 1
        else:
            scale = _SCALES.get(word, 0)
            taken = 0 < scale < self._least and self.current > 0
            if taken:
                self.total, self.current, self._least = self.total + self.current * scale, 0, scale
        self.words += taken
        return taken

    def _open(self, below: int) -> bool:
        """Return whether the last digits are free for a number below 10 or 100."""
        tens = self.current % 100
        return tens == 0 or (below == 10 and tens % 10 == 0 and tens >= 20)


def _part_alone(text: str, at: int) -> NumberText | None:
    """Return the number of `half`, `a third of` or `a quarter of`. `A third` alone may be an ordinal."""
    word = _WORD.match(text, at)
    if word is None:
        return None
    if word[0].casefold() == "half":
        return NumberText(Fraction(1, 2), word.end())
    if word[0].casefold() in ("a", "an") and (part := _PART.match(text, word.end())):
        own = part["part"].casefold()
        if own == "half" or (own in _PARTS and _OF.match(text, part.end())):
            return NumberText(Fraction(1, _PARTS[own]), part.end())
    return None


def _with_part(text: str, found: NumberText) -> NumberText:
    """Return a number of parts (two thirds), or a number and a part (two and a half)."""
    value = found.value
    if value is None:
        return found
    part = _PART.match(text, found.end)
    if part is not None and value.denominator == 1 and 0 < value < 100:
        name = "half" if part["part"].casefold() == "halves" else part["part"].casefold()
        plural = name not in _PARTS
        size = _PARTS[name.removesuffix("s")] if plural else _PARTS[name]
        if name.startswith("quarter") and not _OF.match(text, part.end()):
            return NumberText(None, part.end(), (value / size,), "quarters are parts of a whole, or of a year")
        # `one third` is a number; `two quarter` and `one fifth-grader` are none.
        if plural == (value > 1) or part["part"].casefold() == "halves":
            return NumberText(value / size, part.end())
    more = _AND_A_PART.match(text, found.end)
    if more is not None:
        count = 3 if more["over"] == "three" else 1
        return NumberText(value + Fraction(count, _PARTS[more["part"].removesuffix("s")]), more.end())
    return found
