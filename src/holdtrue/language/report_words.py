"""Regular expressions for words that report an opinion, a statement or a wish: verbs of saying and thinking, and nouns.

As in `qualifying_words`, all patterns are for masked text in small letters.
"""

from __future__ import annotations

from holdtrue.language.qualifying_words import any_of

# Verbs that report with or without 'that'.
_TELLING = (
    "think believe claim reckon suspect guess assume suppose maintain suggest recommend propose advise mention "
    "deny doubt wonder hope fear expect predict swear recall dream imagine announce assert hint imply warn complain "
    "promise pretend agree whisper mumble allege contend presume surmise opine grumble moan whine murmur "
    "mutter exclaim advocate anticipate envisage speculate theorise theorize hypothesise hypothesize conjecture "
    "boast lament fib bluff "
    "insinuate remark favour favor lobby plead vow pledge retort repeat reiterate proclaim profess opt gather"
).split()
# Verbs that have other meanings, and report where 'that' or the like follows.
_TELLING_THAT = (
    "argue gossip joke brag gloat find note notice observe declare insist demand request beg urge worry regret"
    " protest object conclude estimate "
    "calculate foresee forecast trust understand learn remember see hold stress emphasise emphasize underline concede "
    "admit confess acknowledge accept grant threaten reveal disclose leak post message phone signal indicate show "
    "read write state consider deem judge feel explain add confirm interject volunteer posit decree rule "
    "report text email figure bet wager answer reply comment tweet blog campaign petition "
    "remind decide determine discover calculate vote fancy want wish"
).split()
_IRREGULAR = (
    r"thinks|thought|says?|said|tells?|told|(?:over)?hear(?:d|s)?|felt|feels(?: that| like)?|asks|asked|knows|knew"
    r"|wrote|writes|states that|stated|points out|pointed out|shouted|swore|dreamt|foresaw|found that|held that"
    r"|saw that|understood that|wants? to know|wanted to know|(?:has|have|had) it that|would have (?:it|us|you|me)"
    r" (?:that|believe|think)|is of the opinion|(?:makes|made) out(?= (?:that|to)\b)|"
    r"lets? (?:it )?(?:slip|be known)|would say"
    r"|requests?(?= (?:to|not to|an?|the|that)\b)|requested|calls for"
    r"|called for|(?:pushes|pushed|argues|votes|voted|pleads|speaks|spoke) for|(?:is|are|am) (?:all for"
    r"|in favou?r of)|reports|reported|texted|emailed|figures|figured"
)
_ON_AND_ON = (
    r"(?:is|are|was|were|be|been|'s|'re|keeps?|kept|starts?|started|begins?|began|stops?|stopped|goes on|went on"
    r"|go on|insists on|never tires of|always|forever|constantly)"
)
_MINDED = (
    r"(?:is|are|was|were|'s|'re|seems?|feels?|sounds?|remains?|stays?) (?:\w+ ){0,2}?(?:convinced|sure|certain|afraid"
    r"|hoping|adamant|confident|positive|persuaded|satisfied|aware|worried|concerned that|under the impression|hopeful"
    r"|optimistic|sceptical|skeptical|doubtful|dead set|set on|keen|eager|pushing for|lobbying|angling for"
    r"|rooting for|in favou?r|opposed|of the (?:opinion|view|belief)|inclined to (?:think|believe))"
)


def _inflect(verb: str) -> tuple[str, str]:
    """The forms of a regular verb in the present and the past, and the one in -ing, as patterns."""
    if verb.endswith("e"):
        return rf"{verb}(?:s|d)?", rf"{verb[:-1]}ing"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return rf"(?:{verb}|{verb[:-1]}ie[sd])", rf"{verb}ing"
    if verb.endswith(("sh", "ch", "ss")):
        return rf"{verb}(?:es|ed)?", rf"{verb}ing"
    doubled = rf"{verb[-1]}?"
    return rf"{verb}(?:s|{doubled}ed)?", rf"{verb}{doubled}ing"


_PLAIN, _GOING_ON = ("|".join(forms) for forms in zip(*map(_inflect, _TELLING), strict=True))
_PLAIN_THAT, _GOING_ON_THAT = ("|".join(forms) for forms in zip(*map(_inflect, _TELLING_THAT), strict=True))
SPEECH = any_of(
    rf"\b{_MINDED}\b(?! with\b)",
    rf"\b(?:{_IRREGULAR}|{_PLAIN})\b(?! (?:on|upon|it)\b)",
    rf"\b(?:{_PLAIN_THAT}) that\b(?! (?:one|day|slot|seat|room)\b)",
    rf"\b{_ON_AND_ON} (?:\w+ ){{0,2}}?(?:saying|telling|asking|hearing|feeling|insisting|begging|demanding"
    rf"|requesting|pushing|{_GOING_ON}|(?:{_GOING_ON_THAT}) that)\b",
)

_OTHERS = (
    r"(?:my|our|the|his|her|their|your|an?|some|people|everyone|everybody|somebody|someone|anyone|management|most"
    r"|many|one"
    r"|nobody|no one|word|mum|mom|dad|grandma|grandpa|hr|they|folks|others|another)"
)
_WISHES = (
    r"(?:wants?|wanted|would like|would love|would prefer|'d like|'d love|'d prefer|prefers?|preferred|wish(?:es"
    r"|ed)?|insists?"
    r"|insisted|demands?|demanded|hopes?|would rather|'d rather|asks|asked|is keen|are keen|likes|votes?|voted"
    r"|lobbies|begs)"
)
REPORT = any_of(
    r"\baccording to\b|\b(?:apparently|reportedly|allegedly|supposedly|purportedly|seemingly|evidently|rumou?r\w*"
    r"|gossip"
    r"|hearsay|ostensibly)\b",
    r"\b(?:word|legend|rumou?r|story|tradition|custom) (?:is|has it|goes|dictates)\b|\bthe (?:talk|word|consensus"
    r"|feeling|thinking"
    r"|understanding|assumption|expectation|story|plan from \w+) (?:is|was|in|on|among|around)\b"
    r"|\b(?:a )?little bird\b|\bgrapevine\b",
    r"\b(?:if we go|going|judging|to go) by\b|\b(?:from|by|on) what (?:\w+ ){0,3}?(?:says?|said|tells?|told|hears?"
    r"|heard|knows?|gather\w*"
    r"|understand|read|see|saw|remember\w*|can tell|wrote|writes|mentioned)\b",
    r"\bas (?:[\w' ]+ )?(?:sees?|saw|puts?|tells?|told|has|had|remembers?|recalls?) (?:it|things)\b"
    r"|\bby (?:\w+ ){0,2}?(?:own )?(?:account"
    r"|reckoning|lights)\b|\b(?:if|were) (?:it up to|[\w']+ (?:had|has|gets|got) (?:his|her|their|its|my|our) way)\b",
    r"\bas far as (?:i|we|[EX]|he|she|they|my \w+|our \w+|the (?:boss|team|chair|manager|office|board)) (?:is|am"
    r"|are) concerned\b",
    r"\b(?:[EX]|\w+)'s? (?:\w+ )?(?:preference|suggestion|proposal|recommendation|wish|dream|guess|hunch|theory"
    r"|belief|claim|opinion|view|hope|idea"
    r"|expectation|prediction|advice|feeling|verdict|vote|pick|favou?rite|preferred \w+)\b"
    r"|\bmy (?:own )?(?:preference|suggestion"
    r"|proposal|recommendation|dream|theory|advice|feeling|vote|pick)\b",
    r"\b(?:in|from|to) (?:[\w']+ ){1,3}?(?:opinion|view|viewpoint|point of view"
    r"|eyes|mind"
    r"|estimation|experience|memory|perspective|(?<=my )book|(?<=his )book|(?<=her )book|dreams?|fantas(?:y|ies)"
    r"|version|telling)\b",
    r"\b(?:suggestion|idea|proposal|opinion|impression|theory|belief|claim|hunch|dream|hope) (?:of|is|was|from"
    r"|that)\b",
    r"\b(?:was|were|been|got|am) (?:told|informed|assured|given to understand|advised|asked|reminded"
    r"|warned)\b(?! (?:to|for)\b)|\b(?:is|are) (?:told|assured|given to understand)\b(?! (?:to|for)\b)",
    r"\b(?:i|we)(?:'ve| have)? (?:heard|read|learn(?:ed|t)|gathered|was told|were told)\b",
    r"\b(?:mother|father|boss|aunt|uncle|sister|brother|wife|husband|partner|teacher|manager|chair\w*|coach|parents"
    r"|neighbou?rs?) "
    r"(?:[a-z'-]+ )?(?:wants?|likes?|prefers?|wish(?:es)?|insists?|asks?|asked|wanted|demands?)\b",
    r"\b(?:put in|puts in|made|makes|filed|lodged|submitted|sent|has|have) an? (?:\w+ )?(?:request|wish|plea|petition"
    r"|bid|application)\b|\b[\w']+ would have [EX]\b|\bto hear [\w']+ (?:talk|tell)\b|\b[EX] wish(?:es|ed)?\b"
    r"|\b(?:his|her|their) hearts? set on\b"
    r"|\bword (?:in|from|on)\b|\b(?:has|have|had) [EX] down\b",
    r"\bif (?:you ask|it (?:was|were) up to)\b|\bif you believe\b",
    # Who is neither named in the instance nor spoken of before wants it: 'Ines wants the talk first'.
    rf"^\W*(?!(?:i|we|you|he|she|it|they|who|that|this|these|those|there|everything|which|one|please|just|also|so"
    rf"|and|but"
    rf"|now|then|what|if|when|let|make|put|give|keep)\b)[a-z]{{2,}}(?:'s [a-z]+)? (?:really |still |also )?{_WISHES}\b",
    rf"\b{_OTHERS} (?:[a-z'-]+ ){{0,4}}?{_WISHES}\b",
)
