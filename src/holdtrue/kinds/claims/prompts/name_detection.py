"""This module finds the words of a text that name single things, by how they are written and where they stand.

Proper names have capitals; names of code have signs, digits or inner capitals; what stands in quotes is called that. A
single thing without a name is one that the text calls `the hotel`, and of whose kind it says nothing: no plural, no
`a hotel` or `every hotel`. Words without an article are names at the head of a sentence that begins with a small
letter, where such a sentence ends on one, behind their kind (`the module settings`), and behind words of place
(`access to production`). Kinds, qualities and actions are no names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from holdtrue.kinds.claims.prompts.content_words import word_set
from holdtrue.logic.fol.naming import CAPITALS, name_words, stem, stems, thing_identifier
from holdtrue.logic.fol.vocabulary import Entity, Vocabulary

KINDS = word_set("people children men women everyone someone no all every each some")
"""First words of sentences that are no names, though they look like it."""
COUNTING = (
    *("a", "an", "every", "each", "any", "no", "all", "some", "most", "many", "another", "several", "few", "which"),
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "either", "neither"),
)
"""What stands before a kind: every hotel."""
LEADING = (
    *("in", "on", "at", "from", "into", "access to", "next to", "belongs to", "goes to", "sent to", "moved to"),
    *("deployed to", "connected to", "connects to", "writes to", "released to"),
)
"""What stands before a place. `to` alone stands before verbs as well."""
BARE_IDIOMS = word_set(
    "home work school class college university church bed town hospital prison court sea land foot time call love",
    "fact general particular public private common order addition total part need use life death nature practice",
    "theory trouble danger turn advance person detail short full vain once least most first last all bus train car",
    "plane bike purpose sale demand strike holiday vacation duty business fire breakfast lunch dinner noon night",
    "midnight english science art music sport history mathematics future past present charge return english place",
)
"""Nouns that go without an article though they name nothing: at home, in fact, on time."""
PREPOSITIONS = word_set(
    "about above across after against along among around as at before behind below beside between beyond by during",
    "for from in inside into near next of off on onto outside over since than through till to toward towards under",
    "until up upon via with within without out",
)
RELATING = word_set(
    "is are was were be been being not a an the every each any no all some most many very too so as than itself",
    "of in on at to from by for with about into and or",
)
"""What stands before words that say how something is, of what kind, or where: handler is deprecated."""
NO_SUPERLATIVES = word_set("forest request interest harvest contest protest arrest digest chest priest")
NO_VERBS = word_set("as this its his us thus always sometimes perhaps less besides towards plus yes across years days")
SENTENCE_WORDS = word_set(
    "a an the this that these those it its he she they we you i his her him them their our your my me us there here",
    "if when whenever while since because although though unless until after before as so thus hence therefore then",
    "and or but nor not no yes both either neither all any every each some most many much more few several one two",
    "nobody noone none nothing everybody everyone everything somebody someone something anybody anyone anything",
    "who whoever whose which what where why how only just also even still already again now today tomorrow yesterday",
    "in on at to from by for with without about into of over under between among during is are was were be been does",
    "do did has have had will would shall should can could may might must given assume suppose thank thanks",
    "answer answers statement conclusion claim question option context premise premises sentence text following",
    "same other others rest way case example first second third last next only whole best least end beginning kind",
    "likewise moreover however furthermore finally consequently otherwise instead indeed always never often sometimes",
    "themselves itself himself herself myself yourself alone together too yet well sure good right true false unknown",
)
"""What begins sentences, or stands behind `the`, and names nothing."""
NAMES_TOO = word_set("may will rest best case question answer option kind way")
"""Words of those that are names where they have a capital inside of a sentence."""


_INSIDE = re.compile(rf"(?<=[\w,;)] )['\"“(]*([{CAPITALS}][\w'-]*)")
"""A word with a capital inside a sentence."""
_FIRST = re.compile(rf"(?:^|[.!?]\s+)['\"“(]*([{CAPITALS}][\w'-]*)")
"""The first word of a sentence."""
_LISTED = re.compile(r": ([^.!?]*)")
"""What follows a colon: there are four boats: a red boat, ..."""
_CODE = re.compile(r"[A-Za-z_]\w*(?:[./]\w+)+|\w*[A-Za-z]\w*_\w+|_\w+|[A-Za-z]+\d\w*|\w*[a-z][A-Z]\w*")
_TOO_LONG = re.compile(r"\w{61,}+")
"""No name, and would take the pattern above a long time."""
_NO_CODE = frozenset(("and/or", "he/she", "his/her", "e.g", "i.e", "a.m", "p.m"))
_QUOTED = re.compile(r"`([^`]{1,40})`|[\"“]([^\"“”]{1,40})[\"”]|(?<!\w)'([^']{1,40})'(?!\w)")
_LONGEST_QUOTE = 4
"""Words: what is longer was said by somebody."""
_POSSESSIVE = re.compile(r"['’]s?$")
_LOWER = re.compile(r"(?:^|[.!?:]\s+)([a-z]\w*)(?= [\w']+)")
"""A sentence that begins with a small letter begins with a name that is written like that."""
_PLURAL_LIKE = re.compile(r"(?:^|[.!?]\s+)([A-Za-z]+s) (\w+s)\b")
"""Payments imports invoices: what looks like a plural, with the verb of a single thing."""
_PLACED = re.compile(
    rf"\b(?:{'|'.join(LEADING)}) ([a-z]+)(?=$|[.,;:!?)]| (?:and|or|but|if|unless|because|for|on|as)\b)"
)
_END = re.compile(r"\b(\w+),? (?:and |or )?([a-z]+)(?= instead\b|[.,;:!?)]|$| and\b| or\b)")
_SUPERLATIVE = re.compile(r"\w{3,}est|\w*most")
_THE = re.compile(r"\b[Tt]he ([a-z]+)\b")
_TOKEN = re.compile(r"\w[\w./-]*\w|\w")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


_ANY_ONE = re.compile(rf"\b(?:{'|'.join(COUNTING)})\s+(?:[a-z]+\s+)?$")
"""What stands before a word that means any of a kind, with an adjective or without."""
_DESCRIBES = re.compile(
    r"\b(?:is|are|was|were|be|been|being|am|seems?|becomes?|feels?|not|very|too|so|as|than|quite|really|who|that|which"
    r"|to|they|people|someone|everyone|must|may|can|will|should|would|could|does|do|did|never|always|often)\s+$"
)
"""What stands before what something is like or does, and before no name."""
NOT_THERE = "the text has no such words"
_SIGNS = re.compile(r"[\W_]+")
_SO_AND_SO = re.compile(r"\s+(?:who|that|which|whose)\b")
NO_PLURALS = word_set("notice business process premises series news lens bus gas address access class press boss glass")


class Naming:
    """Decides which words of a text name single things, because small models also list kinds and actions.

    `earlier` is text that was said before; it can show that a word is a name, or that it is a kind.
    """

    def __init__(self, text: str, earlier: str = "") -> None:
        self._text = text
        self._all = " ".join(f"{earlier} {text}".split())
        self._plain = self._all.casefold()
        self._here = " ".join(text.split()).casefold()
        self._squashed = _SIGNS.sub("", self._here)
        self._words = {word.casefold() for word in name_words(text)}
        self._tokens = {stem(thing_identifier(token)) for token in _TOKEN.findall(text)}
        listed = [word for part in _LISTED.findall(text) for word in name_words(part)]
        found = [word for name in (*_INSIDE.findall(text), *self._subjects()) for word in name_words(name)]
        self._named = {word.casefold() for word in (*found, *listed)}
        self._whole = {stem(thing_identifier(name)) for name in (*written_names(self._all), *self._bare())}

    def no_name(self, entity: Entity) -> str:
        """Return in words why a thing that a model lists is none, or nothing where it may be one.

        It is none where the text has no such words, or speaks of them only as of a kind: of several, of any one, of
        the one that is so and so, or as what something is like. In doubt it is one: a name too many costs less than
        one that cannot be said.
        """
        words = [word.casefold() for word in name_words(entity.name)]
        if self.names(entity):
            return ""
        if any(sign.isdigit() for sign in entity.name) and _SIGNS.sub("", entity.name.casefold()) in self._squashed:
            return ""
        if not words or not self._words.issuperset(words):
            return NOT_THERE
        return "" if self._stands_alone(words) else "the text only speaks of it as of a kind, a quality or an action"

    def _stands_alone(self, words: list[str]) -> bool:
        """Return whether the words stand somewhere in the text as one thing does."""
        if words[-1] in KINDS or (stem(words[-1]) != words[-1] and words[-1] not in NO_PLURALS):
            return False
        phrase = r"[\s_-]+".join(map(re.escape, words))
        for match in re.finditer(rf"(?<![\w-]){phrase}(?![\w-])", self._here):
            before, behind = self._here[: match.start()], self._here[match.end() :]
            if not _ANY_ONE.search(before) and not _DESCRIBES.search(before) and not _SO_AND_SO.match(behind):
                return True
        return False

    def names(self, entity: Entity) -> bool:
        """Return whether the text surely names this thing: by a proper name or a number, in a list, as in RedBoat by a
        description and its kind, or in one of the ways above.
        """
        own = stem(entity.name)
        words = [word.casefold() for word in name_words(entity.name)]
        said = bool(words) and self._words.issuperset(words)
        if own in self._whole and (said or own in self._tokens):
            return True
        if not said:
            return False
        described = len(words) > 1 and stem(words[-1]) == stem(entity.sort)
        if described or any(word in self._named or word.isdigit() for word in words):
            return True
        return self.single(words) or self._called(words, entity.sort)

    def single(self, words: Iterable[str]) -> bool:
        """Return whether these words, `the` before them, are one thing that a sentence is about (not just a place or a
        time in it), and nothing is said of a kind that they name.
        """
        phrase = " ".join(words)
        # The student who comes first may be any, and the head of a school is one of many.
        found = re.finditer(rf"(\w*)[^\w]*\bthe {phrase}\b(?! (?:who|that|which|whose|of)\b)", self._plain)
        if all(match[1] in PREPOSITIONS for match in found):
            return False
        return not self._counted(phrase.rpartition(" ")[2])

    def candidates(self) -> set[str]:
        """Return all words that look like names by their writing alone, without a model's list."""
        found = {*_INSIDE.findall(self._text), *self._subjects(), *self._bare()}
        found |= {word for word in set(_THE.findall(self._text)) if self.single([word])}
        inside = {name for name in _INSIDE.findall(self._text) if name.casefold() in NAMES_TOO}
        plain = {name for name in found if name.casefold() not in SENTENCE_WORDS}
        return {*written_names(self._all), *inside, *plain}

    def _subjects(self) -> list[str]:
        """First words of sentences that are likely names: no plural, and nowhere without the capital."""
        small = {word for word in name_words(self._all) if word.islower()}
        firsts = [word for word in _FIRST.findall(self._text) if word.casefold() not in small | KINDS]
        return [word for word in firsts if not word.endswith("s")]

    def _bare(self) -> set[str]:
        """Words without an article that stand where only names do."""
        heads = {word for word in _LOWER.findall(self._all) if word not in SENTENCE_WORDS}
        for word, verb in _PLURAL_LIKE.findall(self._all):
            if word.casefold() not in SENTENCE_WORDS and verb not in NO_VERBS:
                heads.add(word)
        known = {head.casefold() for head in heads} | {name.casefold() for name in _code_names(self._all)}
        for sentence in _SENTENCE.split(self._all):
            # A sentence about a name of code: run_tests calls validate.
            if sentence.split(" ")[0].casefold() in known:
                ends = _END.findall(sentence)
                heads |= {word for before, word in ends if before not in RELATING and word not in SENTENCE_WORDS}
        placed = {word for word in set(_PLACED.findall(self._all)) if word not in BARE_IDIOMS | SENTENCE_WORDS}
        return heads | {word for word in placed if not self._counted(word)}

    def _called(self, words: list[str], sort: str) -> bool:
        """Return whether the thing stands behind its kind: the module settings."""
        return re.search(rf"\bthe {re.escape(sort)} {' '.join(words)}\b", self._plain) is not None

    def _counted(self, word: str) -> bool:
        """Return whether the text speaks of several or any one, or the word is a superlative: `newest` is no thing."""
        if stem(word) != word:
            return True
        several = "|".join({f"{word}s", f"{word}es", f"{word.removesuffix('y')}ies"})
        one = rf"\b(?:{'|'.join(COUNTING)}) (?:(?!the\b|of\b|for\b|in\b|to\b|on\b|at\b)[a-z]+ )?{word}\b"
        if _SUPERLATIVE.fullmatch(word) and word not in NO_SUPERLATIVES:
            return True
        return word in KINDS or re.search(rf"\b(?:{several})\b|{one}", self._plain) is not None


def new_names(vocabulary: Vocabulary, text: str, earlier: str) -> tuple[str, ...]:
    """Return names in a text that are neither in the vocabulary nor in `earlier`, which was searched before."""
    known_words = [thing.name for thing in vocabulary.entities]
    known_words += [part for word in vocabulary.applied for part in (word.name, word.meaning)]
    known = stems(" ".join((*known_words, earlier)))
    things = {stem(thing.name) for thing in vocabulary.entities}
    written = {name for name in written_names(text) if name.casefold() not in earlier.casefold()}
    # A name of code is new as a whole: load_config, where load and config are known.
    found = {name for name in written if stem(thing_identifier(name)) not in things}
    others = Naming(text, earlier).candidates() - set(written_names(f"{earlier} {text}"))
    found |= {name for name in others if not stems(_POSSESSIVE.sub("", name)) <= known}
    return tuple(sorted(found))


def written_names(text: str) -> list[str]:
    """Names in the form of code (load_config, config.py, api2, parseFile), and what stands in quotes or back ticks."""
    code = [name for name in _code_names(text) if name.casefold() not in _NO_CODE]
    quoted = [next(filter(None, found)) for found in _QUOTED.findall(text)]
    # The last part of a path is its name, too.
    tails = [name.rpartition("/")[2] for name in code if "/" in name]
    return [*code, *tails, *(name for name in quoted if len(name.split()) <= _LONGEST_QUOTE)]


def _code_names(text: str) -> list[str]:
    return _CODE.findall(_TOO_LONG.sub(" ", text))
