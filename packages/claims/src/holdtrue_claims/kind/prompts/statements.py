"""Find the statements in an argument, and in a message of the user, by rules alone.

Words that only connect statements, such as 'therefore', are removed. In a message, sentences that state something are
distinguished from withdrawals of earlier statements.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from holdtrue.language.asking import one_line
from holdtrue.language.sentences import split_sentences
from holdtrue.language.withdrawals import Withdrawal, spot_withdrawal, without_lead
from holdtrue_claims.kind.prompts.content_words import content_words

_SOURCE = (
    r"(?:context|text|passage|story|description|premises?|rules?|facts?|sentences?|information|question|message|user"
    r"|you)"
)
_TELLS = (
    r"(?:states?|stated|says?|said|tells? (?:us|me)|told (?:us|me)|implies|imply|shows?|mentions?|mentioned|indicates?"
    r"|confirms?|specif(?:y|ies)|establish(?:es)?|proves?|makes? (?:it )?clear)"
)
_SURELY = r"(?:(?:also|clearly|explicitly|directly|already|now|then|therefore|thus|further) )?"
_MARKS = (
    r"(?:step \w+|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|lastly|in (?:summary|short|sum)|to sum up|overall"
    r"|conclusion|answer|reason(?:ing|s)?|yes|no(?: problem)?|sure|of course|understood|clearly|obviously|indeed"
    r"|certainly|sorry|you(?:['’]re| are) right|here (?:is|are) the \w+|as a consequence"
    r"|i(?:['’]m| am) not (?:sure|certain)[^,]{0,20})\s*[:,](?:\s*but\b)?"
)
# "The context clearly states that ...", "According to premise 2, ...", "We can infer that ...".
FRAME = re.compile(
    rf"(?:(?:(?:the|our|your|these|those|this|both) )?(?:\w+ )?{_SOURCE}(?: \(?[A-Z]?\d+\)?)?,? {_SURELY}{_TELLS}"
    r"(?: that\b|\s*:|,)"
    rf"|(?:[PUTC]\d+(?:\.C?\d+)?|this|that|it|which) {_SURELY}{_TELLS} that\b"
    rf"|(?:we|i|one) (?:can |may |could )?{_SURELY}(?:know|see|conclude|infer|deduce|derive|learn|note|think|believe"
    r"|find|are told)(?: that\b|,)"
    r"|i (?:think|believe)\b"
    rf"|it (?:is|can be) {_SURELY}(?:stated|known|said|given|clear|obvious|evident|certain|concluded|inferred|deduced"
    r"|seen|shown) that\b"
    r"|as (?:is )?(?:stated|said|given|mentioned|told|requested|asked|you (?:said|asked|requested|wished|wanted))"
    r"[^,]{0,40},"
    r"|according to [^,]{1,80},|(?:based on|from|given|by|per|under) (?:the |this |these |our |your )?"
    rf"(?:\w+ )?(?:{_SOURCE}|[PUTC]\d)\b[^,]{{0,60}},"
    rf"|(?:please )?(?:note|remember)(?: that\b|\s*:)|{_MARKS})\s*",
    re.IGNORECASE,
)
"""An introduction before a statement that does not change its meaning."""

CALLED_TRUE = re.compile(
    r"(?:the |this )?(?:statement|claim|conclusion):? ['\"“\u2018](?P<statement>[^\"“”]{3,300}?)[.]?['\"”’] "
    r"(?:is|must be) (?:therefore |thus |also )?(?:true|correct|right)\b",
    re.IGNORECASE,
)
"""A quoted statement that is called true: `The statement 'Ann swims' is true, because ...`."""

TALK = re.compile(
    r"(?:let['’]?s|let (?:us|me)|first,? (?:we|let)|we (?:need|have|want|must|should|can use)|i (?:will|hope)\b"
    r"|please|note that$|remember|consider|to (?:answer|solve|determine|find)|(?:this|which) (?:\w+ )?answers"
    r"|the (?:correct |right |final )?(?:answer|option|choice) (?:is|must be|:)"
    r"|(?:\w+ )?(?:option|choice|answer)s? (?:\(?[A-Z]\b\)?(?:,|\s(?:and|or)\b|\s)*)+(?:is|are|can|cannot|must)\b"
    r"|the (?:statement|claim|question|conclusion) (?:is|can|cannot|asks|\w+ be)\b"
    r"|i['’](?:ll|d)\b|(?:we )?hope (?:this|that|it|you)\b"
    r"|i(?:['’]m| am) (?:\w+ )?(?:happy|glad|sorry|here|sure|certain)\b"
    r"|feel free|(?:many )?thanks?\b(?! to\b)|you(?:['’]re| are) (?:welcome|right|correct)\b"
    r"|sorry\b|my apologies|i apologi[sz]e"
    r"|as (?:you )?(?:requested|asked|wished)\W*$|(?:great|good|nice|excellent) (?:idea|question|choice|luck|point)\b"
    r"|(?:happy|glad) to\b|enjoy (?:your|the|it)\b|here(?: is| are|['’]s)\b|just (?:ask|tell|say)\b"
    r"|(?:do not|don['’]t) hesitate|no problem\W*$"
    r"|if you [^,]{1,60}, (?:just |please )?(?:let me|ask|tell me|feel free|i can\b|i will\b|i['’]ll\b)"
    # A missing piece of information is no statement.
    rf"|(?:the|this|our) (?:\w+ )?{_SOURCE} (?:does|do|did)(?: not|n['’]t) (?:{_TELLS}|give|contain|provide)\b)",
    re.IGNORECASE,
)
"""Sentences about the answer, to the reader, or about the next step, without any testable statement."""


# Words at the start of a sentence that connect it with earlier ones and have no content.
_LEAD = re.compile(
    r"(?:therefore|thus|hence|so|then|also|and|but|however|finally|consequently|in conclusion|as a result"
    r"|in other words|(?:this|that) (?:means|implies)(?: that)?|it follows(?: that)?|it is (?:true|clear|given) that"
    r"|we (?:know|see|can see|conclude|can conclude|are told)(?: that)?|according to [^,:]{1,40}(?=[,:])"
    r"|(?:based on|from|given) (?:the|this|these|that|our) [^,]{1,40},)(?:\s*[,:]\s*|\s+)",
    re.IGNORECASE,
)
# 'A, so B' has two statements; so has 'since A, B' if no other comma could end A.
_SO = re.compile(
    r"(?:,\s*(?:and\s+)?|\s+and\s+)(?:so|therefore|thus|hence)\s+(?!(?:that|as|far|long|on|much|many|is|are|was|were|do"
    r"|does|did|has|have|had|can|could|will|would)\b)"
    r"|,\s+(?:and\s+)?(?:which|this) means(?: that)?\s+|,\s+meaning(?: that)?\s+|,\s+which\s+(?:\w+\s+)?answers\b.*",
    re.IGNORECASE,
)
_SINCE = re.compile(r"(?:since|because|as|given that)\s+([^,]+),\s+(?:then\s+)?([^,]+)", re.IGNORECASE)
# 'The owl is old and the crow is young' has two statements, unless another word joins the halves.
_VERBS = r"\b(?:is|are|was|were|has|have|does|do|can|cannot|must|will)\b"
_AND = re.compile(rf",?\s+and\s+(?=(?:the|a|an|it is not|[A-Z])\b[^,]{{0,60}}?{_VERBS})")
_VERB = re.compile(_VERBS)
_WITHIN = re.compile(r"(?<=[\w,] )[^\W\d_a-z]\w*")
_JOINED = re.compile(r"\b(?:if|when|unless|either|neither|both|between|all|every|each|any|no|some|or)\b", re.IGNORECASE)
_BACK = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|this|that|these|those|so do|so does|both(?!\b.*\band\b)"
    r"|neither(?!\b.*\bnor\b)|there(?!\s+(?:is|are|was|were|will|has|have|can|must)\b))\b",
    re.IGNORECASE,
)
_OPEN = re.compile(rf"(?:it|they|he|she|this|that|these|those)\s+(?:also\s+)?{_VERBS}(?! not the case)", re.IGNORECASE)
_JOINED_BY = "\u2e35"


def clauses(text: str, around: str = "") -> list[str]:
    """Return the clauses of all sentences of a text, as `split_answer` finds them."""
    return [clause for own in split_answer(text, around).values() for clause in own]


def split_answer(text: str, around: str = "") -> dict[str, list[str]]:
    """Return the sentences of a text, without full stops at their ends, with the clauses of each, such as a reason.

    A capitalized word within a sentence, in the text or `around` it, counts as a name in `split_sentences`.
    """
    found: dict[str, list[str]] = {}
    names = {*_WITHIN.findall(f"{around} {text}")}
    # A semicolon ends no sentence here, because the text after it often continues the text before it.
    for whole in split_sentences(text.replace(";", _JOINED_BY), names):
        sentence = whole.replace(_JOINED_BY, ";")
        own = found.setdefault(sentence, [])
        for part in [] if own else split_sentences(sentence, names):
            for said in filter(None, _SO.split(part)):
                since = _SINCE.fullmatch(_stripped(said))
                for clause in (said,) if since is None else since.groups():
                    parts = [clause] if _JOINED.search(clause) else _AND.split(clause)
                    own += parts if all(map(_VERB.search, parts)) else [clause]
    return found


def refers_back(clause: str) -> bool:
    """Return whether a word of the clause refers to an earlier clause."""
    return _BACK.search(clause) is not None


def clean_statement(text: str, matter: Collection[str] | None = None) -> str | None:
    """Return the statement of a sentence without its connectives, or None if it states nothing that can be tested.

    A sentence that begins with an unresolved 'it' or 'they' cannot be tested, nor can a single word, which is a
    heading. An opening with a word of the `matter` stays, as in `without_opening`.
    """
    text = one_line(text).strip(" -*•")
    text = text[1:-1] if text[:1] == text[-1:] == '"' and text.count('"') == 2 else text
    text = _bare(text) if matter is None else without_opening(text, matter)
    if called := CALLED_TRUE.match(text):
        text = called["statement"]
    if asks(text) or " " not in text or TALK.match(text) or _OPEN.match(text) or not content_words(text):
        return None
    return as_sentence(text)


def asks(clause: str) -> bool:
    """Return whether a clause is a question."""
    return clause.rstrip().endswith("?")


def as_sentence(text: str) -> str:
    """Return words as a sentence, with a capital and a mark at its end."""
    text = one_line(text)
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith(('.', '!')) else '.'}"


def without_opening(text: str, matter: Collection[str]) -> str:
    """Return a clause without its opening words, unless they contain a number or a word of the `matter`."""
    text = one_line(text).strip(" -*•")
    bare = _bare(text)
    opening = content_words(text[: len(text) - len(bare)])
    return text if any(word in matter or word.isdecimal() for word in opening) else bare


def _bare(text: str) -> str:
    """Return the statement without all openings. Prompts show clauses, which keep their openings."""
    text = _stripped(text)
    while frame := FRAME.match(text):
        text = _stripped(text[frame.end() :])
    return text


def _stripped(text: str) -> str:
    """Return the sentence without its leading connectives."""
    while lead := _LEAD.match(text):
        text = text[lead.end() :]
    return text


_ID = re.compile(r"\b[PUT]\d{1,4}(?:\.C?\d{1,4})?\b")
_COMMAND = re.compile(
    r"(?:forget|drop|withdraw|remove|ignore|disregard|cancel|delete|scrap|scratch|discard|i take back|take back)\b",
    re.IGNORECASE,
)
# "Please note that ..." states the rest of the sentence.
_NOTE = re.compile(r"(?:note|remember|keep in mind|bear in mind|assume|suppose|be aware)\s+that\s+", re.IGNORECASE)
_REQUEST = re.compile(
    r"(?:tell|explain|list|give|show|plan|write|describe|answer|choose|pick|select|look|check|make|find|suggest|compare"
    r"|summari[sz]e|help|think|consider|say|name|sort|rank|repeat|try|go|let me know|let's|let us|thank|thanks|hello|hi"
    r"|can|could|would|will|how about|what about|i (?:would|'d) like (?:you|to know)|i want (?:you|to know))\b",
    re.IGNORECASE,
)
_FEWEST_WORDS = 3
_LONGEST = 1000  # characters of a sentence that the patterns look at
_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class MessageReading:
    """A `MessageReading` has the sentences that a message states and the ids that it takes back. `unknown` are
    withdrawals that fit no statement.
    """

    states: tuple[str, ...]
    takes_back: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def read_message(text: str, statements: Mapping[str, str]) -> MessageReading:
    """Return the new statements and the withdrawals of a message; `statements` are the user's earlier ones, oldest
    first.

    Questions and requests state nothing. A withdrawal names a statement by its id ("forget U1.2") or by its words
    ("forget that Ann is vegetarian"). "Forget that" withdraws the last one. A sentence that fits none of these forms is
    a statement, if its words allow that.
    """
    states: list[str] = []
    gone: list[str] = []
    unknown: list[str] = []
    for sentence in split_sentences(text):
        cue = spot_withdrawal(" ".join(sentence.replace("’", "'").split())[:_LONGEST])
        commands = cue is not None or _COMMAND.match(without_lead(sentence))
        named = [id for id in _ID.findall(sentence) if id in statements] if commands else []
        meant = named or (
            [] if cue is None else _find_withdrawn(cue, {id: said for id, said in statements.items() if id not in gone})
        )
        gone += [id for id in meant if id not in gone]
        if cue is not None and cue.rest:
            states += _stated(cue.rest)
        elif not meant and cue is not None and cue.sure:
            unknown.append(sentence)
        elif not meant:
            states += _stated(sentence)
    return MessageReading(tuple(states), tuple(gone), tuple(unknown))


def _find_withdrawn(cue: Withdrawal, statements: Mapping[str, str]) -> list[str]:
    """Return the ids of the statements that a withdrawal names."""
    if cue.content:
        words = content_words(cue.content)
        told = {id: content_words(text) for id, text in statements.items()}
        alike = {id: len(words & own) / (len(words | own) or 1) for id, own in told.items()}
        best = max(alike.values(), default=0.0)
        found = [id for id, share in alike.items() if share == best]
        return found if best >= _ALIKE and (len(found) == 1 or cue.every) else []
    if cue.every:
        return list(statements)
    return list(statements)[-1:] if cue.latest else []


def _stated(sentence: str) -> list[str]:
    """Return the sentence as a statement; empty for questions, requests and greetings."""
    bare = without_lead(sentence)
    noted = _NOTE.match(bare)
    text = bare[noted.end() :] if noted else sentence
    if text.endswith("?") or len(text.split()) < _FEWEST_WORDS or (not noted and _REQUEST.match(bare)):
        return []
    return [text]
