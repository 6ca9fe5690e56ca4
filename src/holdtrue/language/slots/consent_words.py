"""Tell by its words alone whether a message clearly consents, or takes a consent back: here a guess costs more."""

from __future__ import annotations

import re

from holdtrue.language.slots.talk import last_question

_MILD = re.compile(
    r"\bno (?:(?:more|other|further|special|additional|need for) )*(?:problem\w*|worr\w+|issues?|rush|hurry|doubt|"
    r"changes?|preferences?|objections?|complaints?|questions?|requests?|requirements?)\b|"
    r"\bno need to (?:worry|ask|rush|hurry|wait|change|confirm|check|apologi[sz]e)\b|\bwhy not\b|\bnot at all\b|"
    r"\b(?:do not|don'?t) (?:worry|mind|change (?:a thing|anything))\b|\bnothing (?:else|more|to (?:add|change))\b|"
    r"\b(?:can'?t|cannot|can not|couldn'?t) (?:wait|complain|go wrong|be (?:better|happier))\b|"
    r"\bnot an? (?:problem|issue)\b|\bnon-?stop\b|\b(?:bus|tram|next|last|first|one|\d+) stops?\b|"
    r"\blet me know(?: (?:when|once|as soon as)[^.,;!?]*)?|\bkeine? (?:problem|sorge|eile|\u00e4nderung\w*)\b|"
    r"\b(?:no hay problema|no te preocupes|no se preocupe|nada m[\u00e1a]s)\b"
)
"""A no in its form that says nothing against what was asked."""
_AGAINST = re.compile(
    r"\b(?:if|unless|provided|providing|as long as|assuming|depend\w*|only (?:if|when|with|after|once)|otherwise|"
    r"in case|but|however|though|although|except|until|before|whether|maybe|perhaps|possibly|probably|might|guess|"
    r"suppose|consider\w*|decid\w+|discuss\w*|wonder(?:ing|s)?|curious|questions?|unsure|not|no|nope|nah|never|"
    r"none|nothing|"
    r"neither|nor|\w+n't|dont|doesnt|cannot|instead|rather|another|others?|else|different\w*|chang(?:e[sd]?|ing)|later|"
    r"yet|wait|hang on|hold (?:on|off|it)|stop|wrong|mistake|cheaper|joking|kidding|yeah,? right|get back|"
    r"think(?! (?:so|that|it|this|yes)\b)(?:ing)?|(?:sure|certain) (?:about|of|if|that|whether|you|he|she|it)|"
    r"(?:tell|show|remind) me|explain|more (?:about|info\w*|details?|options?|time)|i (?:see|know|understand)|"
    r"when (?:i|you|we|they|it|he|she|my)|(?:after|as soon as) (?:i|you|we)|first(?=$|[.,;!?])|"
    r"(?:a|one|give me|just) (?:moment|sec|second|minute|min|bit)|make (?:it|that) (?!so\b|happen)|"
    r"too (?:expensive|much|late|early|long|far|many|small|big|high|low)|"
    r"let me (?:think|check|see|ask|confirm|talk|look|speak|sleep|get|find|first|consult|verify|call|read)|"
    r"(?:i'll|i will|we'll|let's|(?:need|have|want|got|going|like|love) to|gotta|must|should) (?:first |also |just )*"
    r"(?:think|check|see|ask|talk|look|speak|sleep|consult|verify|compare|know|hear|read|find out|make sure)|"
    r"aber|wenn|falls|erst|sofern|nicht|kein\w*|nein|lieber|ander\w*|vielleicht|\u00fcberleg\w*|sp\u00e4ter|warte\w*|"
    r"doch noch|pero|antes|primero|todav[\u00edi]a|quiz[\u00e1a]s?|tal vez|otr[oa]s?|mejor|despu[\u00e9e]s|espera|"
    r"si (?!por favor|gracias|claro|$))\b|\bfirst (?:tell|show|let|i)\b"
)
"""What takes from a yes: a no, a condition, a delay, a doubt, a change, or a wish to know more."""
_CLAUSE = re.compile(r"[.,;:!?\n()\u2026\u2013\u2014]+|\s-+\s|\s(?=(?:and|so|then|but) )")
_FILLER = (
    r"(?:(?:oh|ah|well|then|so|and|hmm+|um|uh|ok|okay|alright|all right|great|good|perfect|fine|right|cool|sure|"
    r"excellent|wonderful|awesome|yes|yeah|yep|hi|hello|hey|of course|absolutely|certainly|definitely|please|just|"
    r"kindly|in that case|gut|bien|bueno|bitte) )*"
)
_TAIL = (
    r"(?: (?:please|pls|plz|thanks|thank you|thx|so much|very much|then|now|indeed|sir|all|that|it|too|"
    r"(?:for|by|with|to) (?:me|us|now)|as (?:well|is|listed|discussed|described|planned|above|you \w+)|like that|"
    r"right away|asap|already|immediately|today|a lot|bitte|danke|gracias|por favor|so|to do|lo))*$"
)
_YES_WORD = re.compile(
    _FILLER + r"(?:(?:yes+|yeah|yea|yep|yup|aye|affirmative|ja|jawohl|jep|s\u00ed|oui)\b(?! (?:or|man)\b)|si\b"
    r"(?: (?:claro|por favor|gracias))?$)"
)
_QUESTION = re.compile(
    _FILLER
    + r"(?:what(?:'s|s)?|which|who|whose|why|when|where|how|is|are|was|were|do(?!$)|does|did|will|would|can|could|"
    r"should|shall|may|have|has|am|isn't|aren't|any)\b"
    # 'Do it', 'would love that' and 'can you book it' are none.
    r"(?! (?:it|that|so|this)(?: please| now| then)*$| (?:love|like) (?:that|this|it)\b|"
    r" you (?:please |just |kindly |go ahead and )*(?:go ahead|proceed|do (?:it|that)|book|reserve|order|buy|make|"
    r"send|place|confirm|schedule|arrange)\b)|.*\b(?:w\u00fcrden sie|wie viel|was kostet|cu[\u00e1a]nto|c[\u00f3o]mo)\b"
)
_ACTION = (
    r"(?:book|reserve|order|buy|purchase|pay|schedule|rent|submit|place|finali[sz]e|complete|transfer|add|arrange|"
    r"make|take|try|get|send|confirm|cancel|delete|remove|update|post|register|charge|issue|refund|ship|set)"
)
_ALONE = r"(?:book|reserve|order|buy|purchase|pay|schedule|submit|confirm|proceed|continue|cancel)"
_OBJECT = (
    r"(?: (?:it|that|this|them|these|those|both|everything|all|me in|us in)|"
    r" (?:the|my|our|that|this) (?!price|cost|details?|total|amount|time|address)\w+(?: (?!to\b)\w+){0,3}?)"
)
_WISH = (
    r"(?:go ahead and |go on and |do |let's |lets |(?:can|could|would|will) you (?:please |just |kindly )*|"
    r"i(?:'d| would) (?:like|love) (?:you )?to |i want (?:you )?to |you (?:can|may|should) |feel free to |i )?"
)
_COMMAND = re.compile(
    _FILLER + rf"{_WISH}(?:please )?(?:{_ALONE}|{_ACTION}{_OBJECT}(?: up)?|(?:go ahead|proceed|"
    rf"continue)(?: (?:and do it|with (?:it|that|this|the \w+)))?|go for it|"
    r"do (?:it|that|so|this)|please do|proceed|continue|carry on|make it (?:so|happen)|confirmed|"
    r"(?:i|we)(?:'ll| will) (?:take|have|go (?:with|for)) (?:it|(?:that|this)(?: \w+)?|them|both|"
    r"the (?:\w+ )?(?:one|table|room|"
    r"deal|offer|slot|seats?|tickets?|car|flight))|"
    r"i'?(?:d| would) (?:like|love) (?:it|that|this)|would (?:like|love) (?:it|that|this|to)|"
    r"i (?:agree|accept|approve|consent|confirm)(?: (?:to |with )?(?:it|that|this|the \w+))?|"
    r"(?:buchen|reservieren|bestellen|machen) sie(?: (?:es|das|ihn|sie))?|mach(?:en wir)? das|adelante|"
    r"(?:h\u00e1ga|reserve|res\u00e9rve|reserva|res\u00e9rva|compra|c\u00f3mpre)l[oa]|resérvelo)" + _TAIL
)
_VERY = r"(?:all |very |really |quite |so |just |absolutely |totally |perfectly )*"
_FINE = (
    r"(?:good|great|fine|perfect|wonderful|excellent|fantastic|awesome|super|cool|brilliant|right|correct|ok|okay|"
    r"alright|all right|lovely|ideal|amazing)"
)
_AGREED = re.compile(
    _FILLER + rf"(?:(?:(?:that|this|it|everything|all(?: of (?:that|it))?|which)(?: all)? )?"
    rf"(?:sounds?|looks?|seems?|works|suits|fits)(?: {_VERY}(?:{_FINE}|like a plan|me|us|well|perfectly|for (?:me|"
    rf"us)))*|"
    rf"(?:that|this|it|everything|all)(?:'?s| is| are|'ll be| will be| would be) {_VERY}{_FINE}|"
    r"(?:that|this|it)(?:'ll| will| would|'d)? (?:do|work)|(?:i'm|i am|we're|we are) (?:happy|fine|ok|okay|good|cool) "
    rf"with (?:it|that|this)|i (?:like|love|want) (?:it|that)|fine (?:by|with) me|sure(?: thing)?|of course|certainly|"
    r"absolutely|definitely|by all means|indeed|exactly|agreed|deal|correct|yes|why not|"
    r"genau|stimmt|das stimmt|(?:das )?passt(?: so| mir)?|gerne?|(?:das )?klingt gut|einverstanden|in ordnung|"
    r"nat\u00fcrlich|klar|claro(?: que s[\u00edi])?|vale|de acuerdo|correcto|(?:me parece|suena|est\u00e1) bien|"
    r"perfecto|d'accord)" + _TAIL
)
_PRAISE = re.compile(rf"(?:oh |{_VERY})(?:{_FINE} )*(?:{_FINE}|k|okey|prima|bien|genial|gut|bueno)" + _TAIL)
_NEUTRAL = re.compile(
    r"(?:(?:thanks?|thank you|thx|cheers|danke|gracias|please|bitte|por favor|hi|hello|hey|oh|ah|well|hmm*|um|uh|so|"
    r"then|now|and|sorry|bye|goodbye|ok|okay|alright|nice|lovely|great|good morning|good evening|dear|sir|madam|"
    r"actually|very much|so much|a lot|for (?:your|the) (?:help|info|information)|see you(?: \w+){0,3}|"
    r"have a (?:nice|good|great|lovely) (?:day|evening|one)|you too|for that|for checking)(?: |$))+"
)


_LONGEST_YES = 400
"""Who writes more than so many characters says more than yes."""


def is_clear_yes(message: str, asked: bool) -> bool:
    """Return whether a message says yes and nothing that takes from it: no doubt, condition, delay, question or change.

    Praise alone, or a bare 'ok', is a yes only to what was `asked`; elsewhere it takes note of something.
    """
    if len(message) > _LONGEST_YES:
        return False
    text = _MILD.sub("", _plain(message)).strip()
    if "?" in re.sub(r"^[^?]*\b(?:can|could|would|will) you [^?]*\?$", "", text) or _AGAINST.search(text):
        return False
    clauses = _clauses(text)
    if any(_QUESTION.match(own) for own in clauses):
        return False
    if any(_YES_WORD.match(own) or _COMMAND.match(own) for own in clauses):
        return "?" not in text or any(_COMMAND.match(own) for own in clauses)
    said = [own for own in clauses if not _NEUTRAL.fullmatch(own) and not _PRAISE.match(own)]
    if said:
        return _AGREED.match(said[0]) is not None
    return asked and any(_PRAISE.match(own) for own in clauses)


def _plain(message: str) -> str:
    """Return a message in small letters with plain signs; a thumb that is held up says yes."""
    text = re.sub("[\U0001f44d\U0001f44c\u2705\u2714]", " yes. ", message.casefold().replace("\u2019", "'"))
    return " ".join(re.sub(r"[^\w\s.,;:!?()'/$\u20ac\u00a3%\u2026\u2013\u2014-]", " ", text).split())


def _clauses(text: str) -> list[str]:
    return [own.strip(" '-") for own in _CLAUSE.split(text) if own.strip(" '-")]


_DO = (
    r"(?:do|book|buy|send|pay|make|place|order|reserve|cancel|go|proceed|confirm|continue|submit|schedule|rent|"
    r"purchase|charge|transfer)"
)
_TAKEN_BACK = re.compile(
    r"(?:^|[.,;!?] ?|\b(?:please|let'?s|better|i'd|should|want to|need to|i'll|we'll|but|oh|no|so|then|actually|"
    r"sorry|ok|okay|well|and|"
    r"um|hmm|uh) )wait\b|\bhold (?:on|off|it)\b|\bhang on\b|\bnot (?:yet|now|today|so fast|any ?more|anymore)\b|"
    rf"\b(?:do not|don'?t|never|please not|not to)(?: \w+)? {_DO}\b(?= (?!any (?:more )?changes?)(?:it|that|this|"
    rf"any\w*|"
    r"the|them|yet|now|me|my|a|an|for|on|with|ahead|through|until|before|so)\b|\W*$|[.,;!?])(?! it too\b)|"
    rf"\b(?:do not|don'?t|no longer) (?:want|need|wish) (?:it|that|this|them|any of|anything|(?:you )?to {_DO})\b"
    r"(?! any changes?| to\b)|(?:^|[.,;!?] ?|\b(?:please|just|so|oh|no|ok|okay|but|and) )stop\b|\bnever ?mind\b|"
    r"(?<!n't )(?<!dont )(?<!not )\bforget (?:about )?(?:it|that|the \w+)\b|\bon second thou?ghts?\b|"
    r"\bscratch that\b|\bchanged my mind\b|"
    r"\bdeclin\w+\b|\brefus\w+\b|\babort\b|\bcall it off\b|\b(?:i'd |would )?rather not\b|\bi'?d rather you didn'?t\b|"
    r"\b(?:don'?t|do not) think so\b|\bi(?:'m| am) afraid not\b|\bunfortunately (?:no|not)\b|\bdecided (?:against|"
    r"not)\b|"
    r"\bnot (?:really )?interested\b|\bi take (?:it|that) back\b|\btake that back\b|\bi (?:don'?t|do not) (?:agree|"
    r"accept|"
    r"consent|approve)\b|\bleave it\b(?= ?(?:$|[.,;!?]|for now|then|be))|\bi'?ll pass\b|\bdrop it\b|\bdoch nicht\b|"
    r"\bnicht (?:buchen|reservieren|bestellen)\b|\blieber nicht\b|\bmejor no\b|\bno (?:lo |la )?(?:reserv|compr)\w+\b|"
    r"\bolv[\u00edi]dalo\b|\blass(?:en sie)? es\b|(?:^|[.,;!?] ?|\b(?:please|so|no|just) )(?:do not|"
    r"don'?t)(?= ?(?:$|[.,;!?]))|"
    r"\b(?:cannot|can'?t|can not) (?:agree|accept|make it)\b|\bnot happening\b|\blet'?s not\b|\bbetter not\b|"
    rf"\b(?:i|we)(?: won'?t| will not|(?:'m| am|'re| are) not going to|'ll not) {_DO}\b|\bi (?:wouldn'?t|would not)"
    r"(?= ?(?:$|[.,;!?]|like (?:it|that|this|to)\b))|\bscrap (?:it|that)\b|\bback out\b|\bto withdraw\b|"
    r"\bprefer not\b|\blet us not\b|\bdon'?t you dare\b|\bnot what i (?:want|asked|meant|need)\w*|\bdid(?:n'?t|"
    r" not) ask for (?:that|this|it)\b|\b(?:can'?t|cannot) do (?:that|this|it)\b|\b(?:won'?t|will not|"
    r"not going to) be (?:book|reserv|order|buy|tak|pay|need|com)ing\b|\b(?:don'?t|do not) bother\b|"
    r"\b(?:answer is|i say|i said|it'?s a|that'?s a|is a) no\b|\bcount me out\b|\bsecond thoughts\b|\brethink|"
    r"\breconsider|\bi object\b|\b(?:may|must) not (?:do|book|reserve|order|buy|send|go ahead|proceed)\b|"
    r"\bwithdraw (?:my|that|it)\b|\brevoke\b|\b(?:let me|need to|want to|like to|have to|i'll) (?:think|"
    r"sleep) (?:about "
    r"it|it over|on it|again|first)\b"
)
_CANCELLED = re.compile(
    r"\b(?:let'?s|(?:need|want|have|like|going) to|must|i'll|we'll|i) cancel\b|\bcancel (?:it|that|this|everything|"
    r"all(?: of it)?|(?:the|my) (?:booking|order|reservation|request|"
    r"whole thing))\b|"
    r"(?:^|[.,;!?] ?|\bplease )(?:cancel|undo)(?: it)?(?= ?(?:$|[.,;!?]|please))|\babbrechen\b|\bcancela\b"
)
_NO_HEAD = re.compile(
    r"(?:(?:oh|well|um|uh|hmm+|sorry|actually|so|and|but|thanks|ok|okay) )*(?:no|nope|nah|nay|negative|never|nein|"
    r"n\u00f6|nee|no way|(?:absolutely|certainly|definitely|of course|i'd say) not)\b|not (?:that|this|it|really|"
    r"for me|quite|exactly|like that|ok|okay|good|right|correct|what)\b"
)
_NO_THANKS = re.compile(r"\bno,? thank")
_CLOSED = re.compile(
    r"\b(?:that(?:'s| is|s| will be|'ll be)(?: (?:it|all|everything|enough|good|fine|perfect|great|correct|right|ok"
    r"|okay))|just that|all good|i'm (?:good|fine|all set|done)|i am (?:good|fine|done)|nothing|"
    r"it(?:'s| is) (?:all )?(?:good|fine|perfect|correct|right|ok|okay)|go ahead|all set)\b"
)
_ASKED_MORE = re.compile(
    r"\b(?:anything|something|what|who|any\w*) (?:\w+ )?else\b|\bany (?:other|more|further|questions?|changes?|special|"
    r"preferences?|allerg\w+|requests?|requirements?)\b|\banything (?:more|to|i|you|we|that)\b|\b(?:change|modify|"
    r"adjust|"
    r"different)\b|\bfurther\b|\bneed (?:any )?(?:more )?help\b|\b(?:can|may|could|shall|should|"
    r"might) i (?:also )?(?:tell|"
    r"show|explain|recommend|suggest|ask|help|assist|offer|interest)\b|\bdo you mind\b|\bnoch etwas\b|"
    r"\balgo m[\u00e1a]s\b"
)
_ASKED_ACTION = re.compile(
    r"\b(?:(?:shall|should|may|can|could) (?:i|we)|(?:want|like) me to|ready to|ok(?:ay)?|right|correct|confirm\w*|"
    r"agree|"
    rf"proceed|go ahead|work|suit|sound|{_ALONE}|rent|transfer|charge|(?:want|like) (?:this|that|it)|consent|"
    rf"approve|soll ich|"
    r"reservieren|buchen|reservo|reserve)\b"
)
_ASKED_OTHER = re.compile(
    r"\b(?:would|do|will|did|have|are) you\b|\b(?:is|are|was|were) there\b|\b(?:what|which|how|when|where|who|why)\b|"
    r"\bany\w*\b|\bdoes (?:the|your|any)\b"
)


def takes_back(message: str, assistant: str | None, *, answers: bool = False) -> bool:
    """Return whether a message refuses what was asked, or takes back what was agreed before.

    A no to something else the assistant asked does not: 'no, that's all' to 'anything else?'. `answers` says that the
    message answers a decision that was shown.
    """
    text = _MILD.sub("", _plain(message)).strip()
    asked = last_question(assistant).casefold() if "?" in (assistant or "") else ""
    is_cancelling = re.search(r"\bcancel|\bstorn|\bundo", (assistant or "").casefold()) is not None
    if _TAKEN_BACK.search(text) or (not is_cancelling and _CANCELLED.search(text)):
        return True
    clauses = _clauses(text)
    said = [own for own in clauses if not _NEUTRAL.fullmatch(own)]
    refuses = bool(said) and _NO_HEAD.match(said[0]) is not None
    if not refuses and not _NO_THANKS.search(text):
        return False
    if any(_COMMAND.match(own) for own in said[1:]) and not _AGAINST.search(" ".join(said[1:])):
        return False
    is_other = _is_about_other(asked)
    if _CLOSED.search(text) and not answers:
        return bool(asked) and not is_other
    return answers or not is_other


def _is_about_other(asked: str) -> bool:
    """Return whether a question is none about going on with a call: about more to do, more to know, or a wish."""
    if _ASKED_MORE.search(asked):
        return True
    return _ASKED_ACTION.search(asked) is None and _ASKED_OTHER.search(asked) is not None
