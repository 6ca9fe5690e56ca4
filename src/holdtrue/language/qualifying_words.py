"""Regular expressions for words that make a sentence more, or something else, than a plain statement, in any domain.

All patterns are for text in which names, values and numbers are masked (`masked_text`): E is an entity of the
constraint that was read, X any other; V and W are values alike, N and M numbers, C is an attribute.
"""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal[
    "alternative",
    "condition",
    "hedge",
    "report",
    "comparison",
    "negation",
    "quantity",
    "question",
    "past",
    "name",
    "unexplained",
    "length",
]


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return one pattern that finds whatever any of these finds."""
    return re.compile("|".join(patterns))


# A demand in the form of a question, with what may stand before it.
REQUEST = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay|also|then|please|hey|hi|yes|no|well|great|thanks|sorry)\W+)*"
    r"(?:(?:can|could|would|will|might) (?:you|we|i|u|ya)\b"
    r"(?: (?:all|just|also|please|kindly|maybe|perhaps|possibly|then|now))*"
    r"(?! (?:be (?:sure|certain)|say|assume|check|know|tell|prefer|rather)\b)|would you mind\b"
    r"|(?<=please )(?:can|could|would|will)\b"
    # 'Could Ann be placed next to Bob, please?' asks for it; without 'please' it may only want to know.
    r"|(?:can|could|would|will)\b(?=[^?]*\bplease\b[^?]*\?)"
    r"(?![^?]*\b(?:say|check|know|tell|confirm|wondering|explain|clarify|possible|please tell)\b))"
)
# How a sentence begins that goes on with the one before it.
TAIL = re.compile(
    r"(?:that(?:'s| is) what \w+ (?:says?|said|thinks?|wants?|told|tells)|or|otherwise|alternatively|failing that"
    r"|unless|only if|but only if|or else|except|provided|assuming|if not"
    r"|not (?:yet )?(?:agreed|decided|settled|confirmed|final|approved|true|mine)|(?:me|i)\W+no idea|no idea|who knows"
    r"|forget it|(?:those|these) were the days|what (?:it|he|she|they|we|i) .* (?:not|n't|yet)|nothing (?:is|has been) "
    r"(?:agreed|decided|settled)|we have yet|(?:but )?(?:that|this|it) (?:has|is) (?:yet|not|still)"
    r"|if possible|if that|depending|at least,? i (?:think|hope)|i(?:'m| am) not (?:sure|certain)|not sure"
    r"|but (?:maybe|perhaps))\b"
    r"|(?:maybe|perhaps|probably|possibly|i (?:think|guess|hope|suppose)|ideally|preferably|hopefully|apparently"
    r"|not)\W*$"
)
# Courtesy and emphasis: they change nothing, and have words that elsewhere do.
IDLE = any_of(
    rf"^{REQUEST.pattern}",
    r"\b(?:whether (?:\w+ ){1,2})?likes? it or not\b|\brain or shine\b|\bcome what may\b|\bby hook or by crook\b"
    r"|\bready or not\b"
    r"|\bone way or (?:the other|another)\b|\bnow or never\b|\bfor better or (?:for )?worse\b|\bhell or high water\b",
    r"\bbelieve it or not\b",
    r"\b(?:there(?:'s| is| are| can be| will be) )?no (?:question|doubt|exceptions?|excuses?|discussion|arguments?"
    r"|ifs(?:,? (?:and|or) (?:no )?buts)?|two ways|compromise|worries|problem)(?: (?:about|on|to) (?:it|that"
    r"|this))?\b",
    r"\b(?:no matter|regardless of|irrespective of)(?: (?:what|who|how|which|whether)\b)?",
    r"\bwithout (?:fail|exception|question|a doubt|doubt|delay)\b",
    r"\b(?:please )?(?:don't|do not|never|let's not|let us not) forget(?: that| to)?\b",
    r"\b(?:not to forget|last but not least|not only|but also|never ?mind|all but certain(?:ly)?)\b",
    r"\b(?:not|non)[- ](?:negotiable|optional|up for (?:debate|discussion)|open to (?:debate|discussion))\b",
    r"\bif (?:you (?:please|would|will|like|want|don't mind|wouldn't mind|could|would be so kind)|i may|we may"
    r"|i might"
    r"|that's (?:ok|okay|alright|all right|fine)(?: with you)?|nothing else)\b(?! (?:prefer|rather|to)\b)",
    r"\beven (?:if|when|though)\b[^,;.EX]*|,? (?:and )?not (?:the other way (?:a)?round|vice versa|the reverse)\b"
    r"|\bonce and once only\b|\bonce only\b|\bi say so\b",
    r"\bmake no mistake\b|\b(?:or|otherwise|or else),? (?:i|we|he|she|they|it|there|nobody|people)"
    r"(?:'ll| will| won't|'d| would|'s going to|'s nothing)\b[^EX]*$",
    r"\bonce (?:and for all|again|more)\b|\bat once\b",
    r"\beach other(?:'s)?\b|\bone another(?:'s)?\b",
    r"\b(?:after|above|at|in) all\b|\ball (?:right|set|in all|the way|along|of a sudden|together)\b",
    r"\b(?:in|on|from|at) (?:either|any|whichever) (?:direction|order|side|way|end|case|event)\b|\beither way\b",
    r"[, ]*\beither\W*$",
    r"\bas (?:well as|well|agreed|discussed|planned|promised|requested|always|(?:everyone|you) knows?|i said"
    r"|we said)\b",
    r"(?:^|\bplease |\bkindly )(?:remember|note|bear in mind|keep in mind)(?: that| to)?\b|\bmind you\b",
    r"\bwhen it comes to\b|\bwhen (?:you|we) (?:place|plan|seat|schedule|arrange|assign|draw up|set|do)\b",
    r"\b(?:is|that's) (?:exactly |precisely |just )?when\b",
    r"\bneither (?:earlier|sooner|before) (?:nor|or) (?:later|after)(?: than)?\b",
    r"\b(?:slot|seat|day|place|position|number) no\.? ?(?=[NM])|\bno\. ?(?=[NM])",
    r"\b(?:maybe|perhaps) (?:i|we) (?:wasn't|weren't|was not|were not|haven't been) (?:\w+ )?clear(?: enough)?"
    r"(?: (?:before|earlier))?\b|\bwhether or not [^,;:.]*[,;:]|\bin case (?:you|anyone|anybody) (?:\w+ )?wonder\w*\b"
    r"|\bif (?:it|that|this)(?: is|'s) not (?:too much|a) (?:trouble|to ask|bother|problem)\b"
    r"|\bif (?:i'm|i am) not asking (?:too much|for much)\b|\bshould you wonder\b(?: why)?|\bif i may\b(?: \w+ it)?"
    r"(?: (?:plainly|frankly|so))?|\b(?:there's no|no|won't take|not a) maybes?(?: (?:about it|for an answer|here))?\b"
    r"|\bnot sure about (?:the rest|the others|anything else|everything else),? but\b"
    r"|\byou may (?:think|find) it \w+\b",
    r"\b(?:it )?(?:doesn't|does not|don't|won't) (?:really )?matter (?:which|who|what|how|when|why)\b[^,;.EX]*"
    r"|\b(?:i )?(?:don't|do not|couldn't) care (?:which|who|what|how|when|why)\b[^,;.]*",
    r"\bwould be an? (?:\w+ )?(?:mess|mistake|disaster|nightmare|catastrophe|problem|headache)\b",
    r"\bno more,? (?:and )?no less\b|\bno less,? (?:and )?no more\b|,? (?:and )?nothing else\W*$",
    # Whatever else may be so, and however often it was said: what follows holds all the same.
    r"^\W*(?:whatever|however|whoever|whichever way|no matter (?:what|who|how|where|which)"
    r"|regardless of|irrespective of|whether or not|come what may|despite|in spite of"
    r"|notwithstanding)\b[^,;:EXVWNM]*[,:]"
    r"|,? (?:whatever|no matter what|regardless of what) (?:\w+ ){1,4}(?:says?|thinks?|wants?|believes?)\W*$"
    r"|\bas (?:i|we|you) (?:\w+ ){0,3}?(?:said|told you|mentioned|wrote|stated|know|agreed|promised|recall"
    r"|explained)\b[^,;:EXVWNM]*[,:]",
    r"(?<!: )\bno (?:buts|wiggle room|ifs|discussion|further (?:discussion|debate)|ifs or buts|ands or buts)\b"
    r"(?=\W*$|[,.;:!])|\b(?:don't|do not) ask (?:me )?(?:why|how)\b"
    r"|\b(?:i|we)(?:'d| would| should) (?:be (?:\w+ )?(?:grateful|obliged|thankful)|(?:\w+ )?appreciate it) if\b"
    r"|\b(?:it|this) (?:should|must|is to) be (?:observed|noted|understood|remembered|borne in mind|stressed"
    r"|emphasi[sz]ed)"
    r"(?: that)?\b|\bit would be (?:\w+ )?appreciated if\b|\bbe advised(?: that)?\b|\bplease be (?:informed"
    r"|aware)(?: that)?\b"
    r"|\bone (?:of them )?(?:on|at) (?:each|either) side\b"
    r"|\bno (?:surprises?|wonder|kidding|offen[cs]e|joke)\b(?: there| here)?"
    r"|\blike it or not\b|\bif (?:it's|it is) all the same to you\b|\bsorry if (?:that|this|it)(?! \w* ?(?:wrong"
    r"|mistaken))\b[^,;:EXVWNM]*[,:]"
    r"|\b(?:i |we )?(?:don't|do not|couldn't|can't) (?:really )?(?:care|tell you why|say why)(?: (?:less|much))?"
    r"(?:,|;|,? but\b)",
)

# A number's limits; they come out before the classes below are looked for.
LOWER = any_of(
    r"\b(?:at|for) the (?:very )?least\b|\bat least\b|\b(?:a |the )?minim(?:um|al|ally)\b|\bat minimum\b",
    r"\b(?:no|not|none|never) (?:\w+ )?(?:fewer|less|closer(?: together)?) than\b",
    r"(?<!no )(?<!not )(?<!never )\b(?:more|greater) than (?=[NM]\b)|\babove (?=[NM]\b)|\bupwards? of\b",
    r"\bor (?:more|longer|over|above|further|farther|greater|bigger)\b|\bor better\b|\bif not more\b"
    r"|\bmore is (?:fine|ok|okay|better)\b|\bmore if you (?:can|like|want)\b",
    r"(?:\u2265|>=?) ?(?=[NM]\b)|(?<=\b[NM]) ?\+|\bmin\.?(?= )",
    r"\bfewer than\b(?=.*\bnot?\b)",
)
UPPER = any_of(
    r"\bat (?:the )?(?:very )?most\b|\b(?:a |the )?maxim(?:um|al|ally)\b|\bat max\b|\bup to\b",
    r"\b(?:no|not|never) (?:\w+ )?(?:more|further|farther|longer) than\b|\bnot exceed\w*\b",
    r"\b(?:fewer|less) than (?=[NM]\b)|\bor (?:fewer|less|shorter|under|below)\b"
    r"|(?<!drop )(?<!fall )(?<!go )\b(?:below|under) (?=[NM]\b)"
    r"|\bwithin (?=[NM]\b)",
    r"(?:\u2264|<=?) ?(?=(?:\w+ )?[NM]\b)|\bmax\.?(?= )",
)
EARLIEST = any_of(
    r"\b(?:no|not|never) (?:\w+ ){0,2}?(?:earlier than|sooner than|before)(?= (?:\w+ ){0,3}[NM]\b)",
    r"\b(?:after|later than|past|beyond|from)(?= (?:\w+ ){0,2}[NM]\b(?! (?:and|or|plus) [EX]))",
    r"\bat the (?:earliest|soonest)\b|\bearliest\b|\bsoonest\b|(?:\u2265|>=?) ?(?=(?:\w+ )?[NM]\b)|\b(?:at|on"
    r"|in) or after\b(?= (?:\w+ ){0,2}[NM]\b)"
    r"|\bor (?:any(?:thing|time|where) )?(?:later|after|after that|afterwards|beyond"
    r"|onwards?)\b(?! (?:\w+ ){0,3}[EX])|\bonwards?\b",
    r"\b(?:start|begin)ning (?:from|with)\b|\bnot (?:\w+ )?until\b(?= (?:\w+ ){0,3}[NM]\b)",
)
LATEST = any_of(
    r"\b(?:no|not|never) (?:\w+ ){0,2}?(?:later than|after|past|beyond)(?= (?:\w+ ){0,3}[NM]\b)",
    r"\b(?:before|earlier than|by|until|till)(?= (?:(?!time|number|the time)\w+ ){0,2}[NM]\b)",
    r"\bat the latest\b|\b(?:at|on|in) or before\b(?= (?:\w+ ){0,2}[NM]\b)"
    r"|\bor (?:any(?:thing|time|where) )?(?:earlier|before|before that|sooner)\b(?! (?:\w+ ){0,3}[EX])|\blatest\b",
)
EXACT = re.compile(r"\b(?:exactly|precisely|just|only)(?= [NM]\b)")

ALTERNATIVE = any_of(
    r"\bor else\b",
    r"\b(?:and/)?or\b",
    r"\beither\b",
    r"\balternatively\b|\balternatives?\b|\bas an option\b|\boptions (?:are|being|for)\b|\b(?:the|two|several"
    r"|three) options\b",
    r"\b(?:take|takes|have|has|make|makes) (?:your|his|her|their|its|my|our|the) (?:pick|choice)\b|\byour (?:choice"
    r"|call|pick|decision)\b"
    r"|\bup to you\b|\b(?:leave|leaving|left) (?:it|that|this|the \w+) (?:up )?to (?:you|chance|them|him|her)\b"
    r"|\byou (?:can )?(?:choose|pick|decide)\b|\bslash\b|\bone or the other\b|\bwhichever\b|\btoss[- ]up\b"
    r"|\b(?:torn|undecided|hesitat\w+|waver\w+|wavers?|choos\w+|alternat\w+|choice|vacillat\w+|decide|deciding"
    r"|toss a coin) between\b"
    r"|\bsame difference\b|\bflip a coin\b|\btoss a coin\b|\bwhatever (?:suits|works|you (?:like|prefer|want|choose"
    r"|fancy|think))\b|\binterchangeabl[ey]\b",
    r"\bfailing (?:that|this|which)\b|\b(?:two|three|several|[NM]) (?:\w+ )?(?:possibilities|choices)\b",
    r"\bvice versa\b|\bthe other way (?:a)?round\b",
    r"\b(?:any|(?<!the )one|some|either|two) (?:day |slot |seat |room )?(?:out )?of\b(?! course)",
    r"(?<=[EXVWNM]) ?/ ?(?=[EXVWNM])",
    r"\bof [EX](?:,? [EX])*,? and [EX], (?:only |exactly )?one\b"
    r"|\bone (?:of them )?\w+.*\bthe other\b(?= \w+ [VNWM])",
    r"\bversus\b|\bvs\b|\bxor\b|\bthe (?:other|second|only other) (?:possibility|option|choice)\b",
    r"\bsome (?:other )?(?:day|slot|seat|room|time|position)\b(?!.* (?:than|after|before)\b)",
)
CONDITION = any_of(
    r"\b(?:only |even |but )?if\b(?! (?:possible|you can|we can|at all possible|feasible|practical|it can be))",
    r"\b(?:only )?provid(?:ed|ing)(?: that)?\b(?=(?:,| \w+))",
    r"\b(?:as|so) long as\b",
    r"\bunless\b",
    r"\bassuming\b|\bsupposing\b|\bpresuming\b|\bgranted that\b|\bgranting\b|\bgiven that\b|(?:^|, )given\b"
    r"|\bon the (?:assumption|understanding|premise|proviso|basis)\b|\bwith the proviso\b|\bprovis(?:o|ional on)\b"
    r"|\bwith the caveat\b",
    r"^with(?:out)? an? [^,EX]*,|^(?:had|were) [^,]*,|\bwere (?:[EX]|\w+) to\b|\bin the (?:absence|case|presence"
    r"|contingency|event) of\b"
    r"|\b(?:but|except) for\b(?=[^,]*,)|\bfailing\b|\blest\b|\bfor fear\b|\bhinges? (?:up)?on\b|\bdependent (?:up)?on\b"
    r"|\bcounting on\b|\b(?:weather|time|budget|health|traffic|space|circumstances) (?:permitting|allowing)\b"
    r"|\bpermitting\b"
    r"|\b(?:in|under) (?:\w+ )?(?:circumstances|conditions)\b(?<!under no circumstances)(?<!in no circumstances)"
    r"|\bon (?:rainy|sunny|wet|hot|cold|good|bad|busy|quiet|odd|even|alternate|certain|some|special) \w+s\b",
    # 'On gala nights' says when it holds, 'on different days' what holds.
    r"\b(?:on|during|at|over|in|for) (?!(?:different|separate|distinct|(?:the )?same|consecutive|adjacent|other|two"
    r"|both|neighbou?ring"
    r"|these|those|successive|all|any|early|no|working)\b)(?:[a-z'-]+ ){1,2}(?:days|nights|evenings|mornings"
    r"|afternoons|weekends"
    r"|weekdays|holidays|occasions|seasons|months|weeks)\b",
    r"\b(?:during|for|in|throughout) (?:most of |half of |part of |half |the (?:first|second|last|third|latter|early"
    r"|final|whole) )"
    r"(?:the |an? )?(?:\w+ )?(?:half|part|quarter|third|hours?|minutes|days|time|evening|day|night|week|act|course"
    r"|year)\b"
    r"|\b(?:in|during|over) (?:the )?(?:summer|winter|spring|autumn|fall|rain|school holidays|holidays|high season"
    r"|off-season)\b"
    r"|\b(?:in|on) (?:good|bad|wet|fine|hot|cold|rainy) weather\b|\bweather\b",
    r"\b(?:just )?in case\b|\bin (?:that|which|this) case\b|\bin the event\b|\bin (?:such|those) cases?\b",
    r"\botherwise\b|\bif so\b|\bif not\b|\belse\b(?=[,;]| \w+ (?:will|has|must|goes|takes))",
    r"\bon (?:the )?condition\b|\bconditional(?:ly)?\b|\bsubject to\b|\bcontingent\b|\bpending\b"
    r"|\b(?<!is )(?<!are )barring\b",
    r"\b(?:depend(?:s|ing)?|condition(?:al|ed)|predicated|contingent|reliant|relies|rely) (?:up)?on\b|\bit depends\b"
    r"|\bdepending\b",
    r"\bexcept (?:when|if|where|in)\b|\bonly (?:when|where|in case|after|once(?!\W*$|[,.;]))\b",
    r"\bwhen(?:ever)?\b",
    r"\b(?:any|every|each|those|these|such|the) (?:\w+ )?(?:days?|nights?|evenings?|mornings?|afternoons?|weekends?"
    r"|weeks?|times?|occasions?) (?:that|on which|in which)\b",
    r"^(?:say|picture|suppose) (?:it|there|that|the|[EX])\b[^:,;]*[:,;]",
    r"\bfor (?:such|any) time as\b",
    r"(?<!only )\bonce\b|\bonly once\b(?!\W*$|[,.;])|\bas soon as\b|\bthe (?:moment|minute|second|instant) (?=\w+ )"
    r"|\bwould (?:mean|imply)\b|\bas of\b",
    r"\buntil\b|\btill\b",
    r"^should\b(?=.*,)|\bshould (?:it|there|any\w*)\b",
    r"\bwith [^,]{0,40}\b(?:permission|approval|consent|blessing|agreement)\b",
    r"\bwhether\b",
    r"\bwhile\b(?= (?:E|X|it|he|she|they|the|we)\b)",
    r"\bfor now\b|\bfor the (?:time being|moment)\b|\btemporarily\b",
)
# What only may be a condition, as it may also say when something is.
SOFT_CONDITION = re.compile(
    r"(?:only )?(?:when(?:ever)?|once|until|till|while|whether|as of|after)|for .*"
    r"|temporarily"
)

# 'May' and 'can' permit, where no limit stands beside them that they state.
PERMISSION = re.compile(r"\b(?:may|can)\b(?! ?(?:not|n't|never|only|no)\b)")
LIMITED = re.compile(
    r"\bnot\b|n't\b|\bcannot\b|\bno\b|\bnever\b|\bnobody\b|\bonly\b|\bearliest\b|\blatest\b|\bsoonest\b|\bbetween\b"
    r"|\bfrom\b|\b[NM] (?:through|thru|to|up to) (?:\w+ )?[NM]\b"
    r"|\bbefore or after\b|\bonce\b|\banyone but\b|\bevery\w* but\b|\bany\w* (?:other|but|except)\b|\bunder no\b"
)

PAST = any_of(
    r"\bin (?:former|earlier|olden|the old|the good old|bygone) (?:times|days|years)\b|\bthose were the days\b"
    r"|\b(?:back )?(?:at|in) (?:the|our|my) (?:old|former|previous|last) (?:place|job|office|house|flat|school"
    r"|team|venue)\b",
    r"\bused to\b|\b(?:was|were) (?:supposed|meant|going|due|to be)\b|\bonce had\b|\bno longer\b|\bany ?more\b"
    r"|\bany longer\b",
    r"\b(?:yesterday|last (?:week|month|year|time|night|quarter|season|spring|summer|autumn|fall|winter)|previously"
    r"|formerly"
    r"|in the past|back (?:then|when|in)|originally|ago|at that time|once upon a time|the old (?:\w+ )?(?:plan"
    r"|version|draft"
    r"|schedule|rule)|(?:first|earlier|previous|old|former|original|last) (?:\w+ )?(?:draft|version|plan|layout"
    r"|seating|schedule|arrangement|agenda"
    r"|list|edition|round|meeting|setup|allocation|rota))\b",
    r"^(?:please )?(?:forget|scrap|cancel|ignore|disregard|undo|scratch|withdraw|revoke)\b",
    r"\b(?:was|were|wasn't|weren't|had(?! better)|hadn't)\b",
    r"\b(?:would|could|should|might|must) have (?:been|had|gone|sat|\w+ed)\b|\b(?:i|we|he|she|they)'d have \w+(?:ed"
    r"|n)\b",
    r"\b(?:suppose|imagine|what if|as though|picture this|for the sake of argument|let's (?:say|pretend|assume"
    r"|suppose)|pretend|hypothetically|as if|if only|say,)\b",
    r"\bin an ideal world\b|\bin a perfect world\b|\bwere to\b",
)

COMPARISON = any_of(
    r"\bequally\b|\bof equal\b",
    r"\bthe \w+er\b.*\bthe (?:better|worse|merrier|nicer)\b",
    r"\b(?:twice|double|triple|thrice|half|[NM] times)\b(?= (?:as|the|of))",
    r"\b(?:some|part|half|most|several)(?: of)?(?: the)? [EX]\b",
    r"\balone\b(?! (?:can|may|is allowed))|\b(?:on|of) (?:his|her|its|their) own\b|\b(?:by|to) (?:him|her|it"
    r"|them)sel(?:f|ves)\b|\bsolitary\b",
    r"\bas (?!well\b|soon\b|long\b|far as\b|if\b|of\b)\w+ (?:\w+ ){0,3}?as\b",
    r"\bmore\b[^,;.]*\bthan on\b|\bevery [NM]\b",
    r"\b(?:more|less|fewer|better|worse|\w{2,}er|\w+ier) (?:\w+ ){0,3}?than\b|\bthan\b",
    r"\bevery (?:other|second|third|fourth|few)\b|\balternat(?:e|es|ing)\b|\b(?:daily|weekly|monthly|every (?:day"
    r"|week|slot|morning))\b",
    r"\b(?:next|following|same|previous) (?:day|slot|hour|week)\b|(?<!on a )\b(?:day|slot|hour|week|minute)s?"
    r" (?:right |just |immediately )?(?:after|before)\b"
    r"|\b(?:immediately|right|directly|straight|just|shortly|soon|long|well|much|far) (?:after|before|earlier"
    r"|later)\b",
    r"\b(?:closest|farthest|furthest|nearest|longest|shortest|biggest|largest|smallest|oldest|youngest)\b",
    r"\b(?:closer|nearer|further|farther|longer|shorter|bigger|larger|smaller|older|younger)\b(?! way)",
    r"\b(?:even|odd)(?:-numbered)? (?:\w+ )?(?:seat|position|slot|day|room|floor|number|chair|place)s?\b",
)
QUANTITY = any_of(
    r"\bin the (?:morning|afternoon|evening)s?\b|\bat (?:night|weekends?)\b|\bon (?:weekdays|weekends|alternate)\b"
    r"|\b(?:in|on|at) (?:most|many|certain) \w+",
    r"\b(?:everyone|everybody|everything|someone|somebody|something|anyone|anybody|whoever|who(?:ever)? else)\b",
    r"\b(?:all|most|many|several|few|some|half|each|every|none|any(?: one)?|at least one|only one|exactly one"
    r"|(?<!the )one) of "
    r"(?:the|them|us|these|those|our|my|[EXMN]\b)",
    r"\b(?:except(?:ing)?|excluding|(?<!\w{3}s )apart from|aside from|save for|with the exception of|all but"
    r"|other than"
    r"|besides)\b(?! (?:each|one) )",
    r"\b(?:every\w*|all|both|any\w*)\b[^,]{0,30} but\b",
    r"\b(?:nobody|no one|no-one|none)\b(?: \w+){0,6} (?:but|else|other than|except|besides|apart from)\b",
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\bonly (?:on|at|during|for)\b(?! [NM])|\bmost (?:days|weeks"
    r"|of the time)\b",
    r"\bonly (?:the |with )?(?=[EX]\b)|\b[EX] (?:alone|only)\b(?! (?:when|if|once|after|in|on|at|lasts|takes))",
    r"\b(?:all|every|each|most|some|many|several|few) (?:the )?(?:other |of )?(?:people|guests|teams?|events?"
    r"|rooms?|days?"
    r"|slots?|seats?|meetings?|others?|members|persons?)\b(?! (?:earlier|later|before|after))",
    r"\bthe (?:others|rest)\b|\b(?:two|three|four) of (?:them|the)\b",
)
