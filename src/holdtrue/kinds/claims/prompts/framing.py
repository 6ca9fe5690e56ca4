"""Words around a statement: who told it, how sure one is of it, and what is said only to be polite."""

from __future__ import annotations

import re

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
    r"|certainly|as a consequence|i(?:['’]m| am) not (?:sure|certain)[^,]{0,20})\s*[:,](?:\s*but\b)?"
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
    rf"|{_MARKS})\s*",
    re.IGNORECASE,
)
"""What stands before a statement and says nothing of what it is about."""

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
    # What is not told is no statement of what is so.
    rf"|(?:the|this|our) (?:\w+ )?{_SOURCE} (?:does|do|did)(?: not|n['’]t) (?:{_TELLS}|give|contain|provide)\b)",
    re.IGNORECASE,
)
"""Sentences about the answer, to the reader, or about what to do, with nothing in them that could be tested."""
