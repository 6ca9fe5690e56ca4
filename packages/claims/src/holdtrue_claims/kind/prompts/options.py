"""Replace letters of options in an answer by their texts: 'option B is incorrect' becomes the denial of B's text."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TRUE = (
    r"(?:is|are|must\ be|has\ to\ be)\s+(?:also\s+|therefore\s+)?(?:true|correct|right|the\s+(?:correct|right)\s+\w+)"
)
_FALSE = (
    r"(?:(?:is|are|must\s+be|can\s+be)\s+(?:also\s+|therefore\s+)?"
    r"(?:incorrect|wrong|false|impossible|ruled\s+out|eliminated|excluded|(?:not|n't)\s+(?:true|correct|right|possible))"
    r"|(?:cannot|can't|can\s+not)\s+be\s+(?:true|correct|right))"
)
_ANSWER = r"the\s+(?:correct\s+|right\s+|final\s+)?(?:answer|option|choice)\s+(?:is|must\s+be)\s*:?\s*(?:option\s+)?"
_UNTRUE = ("false", "incorrect", "wrong", "not true")
_VALUE = r"(?i:(?P<value>true|false|correct|incorrect|wrong|not\s+true))\b(?!\s*(?:,|or\b))"
_TRUTH = re.compile(
    r"(?i:\b(?:the|this)\s+(?:given\s+|above\s+|last\s+)?(?:statement|conclusion|claim)\s+(?:is|must\s+be)\s+)"
    rf"(?:(?i:also|therefore)\s+)?{_VALUE}"
    rf"|(?i:{_ANSWER})(?:\(?(?P<letter>[A-Z])(?![^\W_])\)?(?:\s*[).:]?\s*(?i:true|false)\b)?"
    rf"|{_VALUE.replace('<value>', '<said>')})"
)
_COPULA = re.compile(r"\b(?:is|are|was|were)\b(?! not\b)")
# In a sentence with one of these words, a negation after the verb would deny only a part.
_COMPOUND = re.compile(
    r"\b(?:if|all|every|each|any|some|no|not|none|and|or|either|neither|both|only|that|which|who)\b", re.I
)
_LOWERED = re.compile(r"(?:The|A|An|All|Every|Each|Any|Some|No|None|If|Either|Neither|Both|It|There|Only)\b")
_FEWEST_WORDS = 3
_MOST = 25
"""The largest number of letters after the first in a list of letters. The bound prevents quadratic time."""


def spell_options(answer: str, options: Mapping[str, str]) -> str:
    """Return the answer with the texts of options in place of their letters.

    'So options A and C are incorrect' becomes two denials, and 'the answer is B' the text of B. Options of less than
    three words, such as truth values, stay letters.
    """
    statements = {
        letter: text.strip().rstrip(".") for letter, text in options.items() if len(text.split()) >= _FEWEST_WORDS
    }
    if not statements:
        return answer
    texts = "|".join(re.escape(text) for text in sorted(statements.values(), key=len, reverse=True))
    letter = rf"\(?(?:{'|'.join(map(re.escape, statements))})(?![^\W_])\)?(?:\s*[).:]?\s*(?:{texts})\.?)?"
    several = (
        rf"(?P<refs>{letter}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+)(?i:option\s+)?{letter}){{0,{_MOST}}})"
    )
    lead = r"(?:\b(?:the\s+)?(?:option|choice|answer|statement)s?\s+|(?<![^\s(]))"
    # Letters are capitals; the words around them may have any case.
    verdict = re.compile(rf"(?i:{lead}){several},?\s+(?:(?P<true>(?i:{_TRUE}))|(?i:{_FALSE}))\b")
    # 'The answer is D) The crow is ...': the answer's words follow, which may differ from D's.
    labelled = re.compile(rf"(?i:{_ANSWER})\(?[{''.join(map(re.escape, statements))}]\s*[):]\s*(?=[A-Z])")
    final = re.compile(rf"(?i:{_ANSWER}){several}")
    one = re.compile(rf"\(?({'|'.join(map(re.escape, statements))})(?![^\W_])\)?(?:\s*[).:]?\s*(?:{texts}))?")

    def spell_named(match: re.Match[str], true: bool) -> str:
        named = list(dict.fromkeys(one.findall(match["refs"])))
        said = [statements[name] if true else denial(statements[name]) for name in named]
        return " and ".join(_inside(statement) for statement in said) + ("." if match.group().endswith(".") else "")

    answer = verdict.sub(lambda match: spell_named(match, match["true"] is not None), answer)
    return final.sub(lambda match: spell_named(match, True), labelled.sub("", answer))


def spell_truth(answer: str, options: Mapping[str, str], statement: str) -> str:
    """Return the answer with the statement or its denial in place of phrases that call 'the statement' true or false.

    `options` are truth values by letter. If the answer calls the statement uncertain, nothing is replaced.
    """
    statement = statement.strip().rstrip(".")
    if not statement:
        return answer
    values = {letter: text.strip().rstrip(".").casefold() for letter, text in options.items()}

    def spell(match: re.Match[str]) -> str:
        value = values.get(match["letter"] or "", (match["value"] or match["said"] or "").casefold())
        if value in ("true", "correct"):
            return _inside(statement)
        return _inside(denial(statement)) if value in _UNTRUE else match.group()

    return _TRUTH.sub(spell, answer)


def denial(statement: str) -> str:
    """Return the denial of a statement, with 'not' after its verb if the statement is simple."""
    verb = _COPULA.search(statement)
    if verb is None or _COMPOUND.search(statement):
        return f"It is not the case that {_inside(statement)}"
    return f"{statement[: verb.end()]} not{statement[verb.end() :]}"


def _inside(statement: str) -> str:
    """Return the statement in the form that it has within a sentence; a name keeps its capital."""
    return statement[0].lower() + statement[1:] if _LOWERED.match(statement) else statement
