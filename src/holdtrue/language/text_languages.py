"""The languages that a text may be in: what is a number in one language is another word in the next.

*To* is two in Norwegian, and *no* is 'in the' in Portuguese.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from holdtrue.extras import need

Languages = frozenset[str]

LANGUAGES: Languages = frozenset("en de fr es it nl pt sv da no fi pl cs".split())
"""The languages whose numbers, days and months are known."""
_LEAST = 0.02
_SHORTEST = 20
"""A text of fewer letters may be in any language."""


@lru_cache(maxsize=256)
def languages_of(text: str) -> Languages:
    """Return the languages, of those that are known, which a text is in with some probability.

    >>> sorted(languages_of("I would book the table for the two of you on Friday."))
    ['en']
    """
    if sum(map(str.isalpha, text)) < _SHORTEST:
        return LANGUAGES
    return frozenset(name for name, probability in _identifier().rank(text) if probability >= _LEAST)


@cache
def _identifier() -> Any:
    need("Telling the language of a text", "py3langid")
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # type: ignore[import-untyped]

    found = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    found.set_languages(sorted(LANGUAGES))
    return found
