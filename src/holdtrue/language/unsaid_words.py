"""The words by which a sentence says more, or something else, than a plain statement: ordinary English of no domain.

All patterns are for text in which names, values and numbers are masked (`unsaid_text`): E is an entity of the
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
    "length",
]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


# A demand in the form of a question, with what may stand before it.
REQUEST = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay|also|then|please|hey|hi|yes|no|well|great|thanks|sorry)\W+)*"
    r"(?:(?:can|could|would|will|might) (?:you|we|i)\b"
    r"(?: (?:all|just|also|please|kindly|maybe|perhaps|possibly|then|now))*"
    r"(?! (?:be (?:sure|certain)|say|assume|check|know|tell|prefer|rather)\b)|would you mind\b)"
)
# How a sentence begins that goes on with the one before it.
TAIL = re.compile(
    r"(?:or|otherwise|alternatively|failing that|unless|only if|but only if|or else|except|provided|assuming|if not"
    r"|if possible|if that|depending|at least,? i (?:think|hope)|i(?:'m| am) not (?:sure|certain)|not sure"
    r"|but (?:maybe|perhaps))\b"
    r"|(?:maybe|perhaps|probably|possibly|i (?:think|guess|hope|suppose)|ideally|preferably|hopefully|apparently"
    r"|not)\W*$"
)
# Courtesy and emphasis: they change nothing, and have words that elsewhere do.
IDLE = _any(
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
    r"\bmake no mistake\b",
    r"\bonce (?:and for all|again|more)\b|\bat once\b",
    r"\beach other(?:'s)?\b|\bone another(?:'s)?\b",
    r"\b(?:after|above|at|in) all\b|\ball (?:right|set|in all|the way|along|of a sudden|together)\b",
    r"\b(?:in|on|from|at) (?:either|any|whichever) (?:direction|order|side|way|end|case|event)\b|\beither way\b",
    r"[, ]*\beither\W*$",
    r"\bas (?:well as|well|agreed|discussed|planned|promised|requested|always|(?:everyone|you) knows?|i said"
    r"|we said)\b",
    r"(?:^|\bplease |\bkindly )(?:remember|note|bear in mind|keep in mind)(?: that| to)?\b|\bmind you\b",
    r"\bwhen it comes to\b|\b(?:is|that's) when\b",
    r"\bneither (?:earlier|sooner|before) (?:nor|or) (?:later|after)(?: than)?\b",
    r"\bno more,? (?:and )?no less\b|\bno less,? (?:and )?no more\b|,? (?:and )?nothing else\W*$",
)

# A number's limits; they come out before the classes below are looked for.
LOWER = _any(
    r"\b(?:at|for) the (?:very )?least\b|\bat least\b|\b(?:a |the )?minim(?:um|al|ally)\b|\bat minimum\b",
    r"\b(?:no|not|none|never) (?:\w+ )?(?:fewer|less|closer(?: together)?) than\b",
    r"\b(?:more|greater) than (?=[NM]\b)|\babove (?=[NM]\b)|\bupwards? of\b",
    r"\bor (?:more|longer|over|above|further|farther|greater|bigger)\b|\bor better\b|\bif not more\b"
    r"|\bmore is (?:fine|ok|okay|better)\b",
    r"\bfewer than\b(?=.*\bnot?\b)",
)
UPPER = _any(
    r"\bat (?:the )?(?:very )?most\b|\b(?:a |the )?maxim(?:um|al|ally)\b|\bat max\b|\bup to\b",
    r"\b(?:no|not|never) (?:\w+ )?(?:more|further|farther|longer) than\b|\bnot exceed\w*\b",
    r"\b(?:fewer|less) than (?=[NM]\b)|\bor (?:fewer|less|shorter|under|below)\b"
    r"|(?<!drop )(?<!fall )(?<!go )\b(?:below|under) (?=[NM]\b)"
    r"|\bwithin (?=[NM]\b)",
)
EARLIEST = _any(
    r"\b(?:no|not|never) (?:\w+ ){0,2}?(?:earlier than|sooner than|before)(?= (?:\w+ ){0,3}[NM]\b)",
    r"\b(?:after|later than|past|beyond|from)(?= (?:\w+ ){0,2}[NM]\b(?! (?:and|or|plus) [EX]))",
    r"\bat the (?:earliest|soonest)\b|\bor (?:later|after|after that|afterwards|beyond"
    r"|onwards?)\b(?! (?:\w+ ){0,3}[EX])|\bonwards?\b",
    r"\b(?:start|begin)ning (?:from|with)\b|\bnot (?:\w+ )?until\b(?= (?:\w+ ){0,3}[NM]\b)",
)
LATEST = _any(
    r"\b(?:no|not|never) (?:\w+ ){0,2}?(?:later than|after|past|beyond)(?= (?:\w+ ){0,3}[NM]\b)",
    r"\b(?:before|earlier than|by|until|till)(?= (?:(?!time|number|the time)\w+ ){0,2}[NM]\b)",
    r"\bat the latest\b|\bor (?:earlier|before|before that|sooner)\b(?! (?:\w+ ){0,3}[EX])|\blatest\b",
)
EXACT = re.compile(r"\b(?:exactly|precisely|just|only)(?= [NM]\b)")

ALTERNATIVE = _any(
    r"\bor else\b",
    r"\b(?:and/)?or\b",
    r"\beither\b",
    r"\balternatively\b|\balternative\b",
    r"\bfailing (?:that|this|which)\b",
    r"\bvice versa\b|\bthe other way (?:a)?round\b",
    r"\b(?:any|(?<!the )one|some|either|two) (?:day |slot |seat |room )?(?:out )?of\b(?! course)",
    r"(?<=[EXVWNM]) ?/ ?(?=[EXVWNM])",
    r"\bof [EX](?:,? [EX])*,? and [EX], (?:only |exactly )?one\b"
    r"|\bone (?:of them )?\w+.*\bthe other\b(?= \w+ [VNWM])",
    r"\bversus\b|\bvs\b",
    r"\b(?:a )?(?:choice|toss-up) between\b",
    r"\bwhichever\b(?= (?:works|suits|comes|fits|you)\b)",
    r"\bsome (?:other )?(?:day|slot|seat|room|time|position)\b(?!.* than\b)",
)
CONDITION = _any(
    r"\b(?:only |even |but )?if\b(?! (?:possible|you can|we can|at all possible|feasible|practical|it can be))",
    r"\b(?:only )?provid(?:ed|ing)(?: that)?\b(?=(?:,| \w+))",
    r"\b(?:as|so) long as\b",
    r"\bunless\b",
    r"\bassuming\b|\bsupposing\b|\bpresuming\b|\bgiven that\b",
    r"\b(?:just )?in case\b|\bin (?:that|which|this) case\b|\bin the event\b",
    r"\botherwise\b|\belse\b(?=[,;]| \w+ (?:will|has|must|goes|takes))",
    r"\bon (?:the )?condition\b|\bconditional(?:ly)?\b|\bsubject to\b|\bcontingent\b|\bpending\b|\bbarring\b",
    r"\bdepend(?:s|ing)? (?:up)?on\b|\bit depends\b|\bdepending\b",
    r"\bexcept (?:when|if|where|in)\b|\bonly (?:when|where|in case|after|once)\b",
    r"\bwhen(?:ever)?\b",
    r"\bonce\b|\bas soon as\b|\bthe moment\b|\bas of\b",
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

HEDGE = _any(
    r"(?<!n't )(?<!not )(?<!never )\b(?:allowed|permitted|welcome|free|entitled|eligible|able) (?:to|in|on|at)\b",
    r"(?<!not )(?<!n't )\b(?:possible|conceivable|plausible|likely) (?:that|for|to)\b|\bcrossed\b|\btouch wood\b"
    r"|\bknock on wood\b",
    r"\bwith (?:any|some|a (?:bit|little|touch) of|a little) luck\b|\ball (?:being|going) well\b|\bas (?:things"
    r"|it) stands?\b",
    r"\b(?:currently|at present|at the moment|right now|to begin with|initially|somewhere (?:near|around|close"
    r"|about))\b",
    r"\bi (?:hear|fear|take it|trust|am afraid)\b|\bi'm afraid\b|\bin two minds\b",
    r"(?<!n't )(?<!not )\bpossibly\b",
    r"\b(?:maybe|perhaps|probably|presumably|conceivably|potentially|hopefully|ideally|preferably|likely"
    r"|unlikely|theoretically|tentative(?:ly)?|provisional(?:ly)?|arguably|by default|usually|normally|generally"
    r"|typically|mostly|mainly|largely|sometimes|occasionally|often|frequently|rarely|hardly(?: ever)?|seldom"
    r"|scarcely"
    r"|barely|almost|nearly|practically|virtually|roughly|approximately|approx|circa|somewhat|more or less|or so"
    r"|sort of|kind of|as a rule|in (?:theory|principle)|at times|now and then|once in a while|from time to time"
    r"|on occasion|every so often|sooner or later|off and on|on and off)\b",
    r"-ish\b|(?<=[NM])ish\b",
    r"\b(?:about|around|circa|close to|near|nearing|somewhere (?:near|around)|give or take)(?= (?:\w+ )?[NM]\b)",
    r"\bgive or take\b|\bor thereabouts\b|\bplus or minus\b",
    r"\b(?:might|could)\b(?! be any)(?: (?:well|also|still|even))?",
    r"\bi(?:'m| am|'d| would|'ve| have| do)?(?: (?:just|really|kind of|sort of|rather|still|only|also|strongly))? "
    r"(?:guess|suppose|think|believe|feel|reckon|assume|imagine|suspect|hope|expect|presume|bet|wonder|doubt|figure"
    r"|fancy|wish|inclined|leaning|thinking|hoping|wondering|considering|suggest|propose|recommend|prefer|rather"
    r"|lean|tend|gather|understand|say|a (?:feeling|hunch|hope|suspicion)|remember|recall|dream(?:ed|t)?)\b",
    r"\bwe(?:'re| are|'d| would|'ve)? (?:guess|suppose|think|believe|feel|reckon|assume|hope|expect|doubt|wonder|wish"
    r"|prefer|rather|thinking|hoping|considering|leaning|toying|suggest|propose|recommend|debating)\b",
    r"\b(?:have|has|had|got) (?:a|the) (?:feeling|hunch|hope|suspicion|vague|idea)\b|\bmy (?:guess|hunch|bet|hope)\b",
    r"\bas far as (?:i|we) (?:can )?(?:know|remember|recall|see|tell|understand)\b|\bto my knowledge\b|\bafaik\b",
    r"\bif (?:i|we) (?:remember|recall|am not|'m not|are not)\b[^,]*",
    r"\b(?:not|n't)(?: (?:yet|really|quite|so|entirely|totally|completely|100%))* (?:sure|certain|know|decided"
    r"|convinced"
    r"|clear|settled|fixed|final|confirmed|mind(?:ed)?|bothered|care)\b",
    r"\b(?:unsure|uncertain|undecided|unclear|unconfirmed|debatable|unsettled)\b|\bno idea\b|\bwho knows\b",
    r"\b(?:i(?:'m| am) )?(?:toying|playing) with\b|\bpencil(?:l?ed|ling)? (?:\w+ ){0,4}in\b|\blet's see\b"
    r"|\bwe(?:'ll| will) see\b",
    r"\b(?:would|'d|might|could|may|should) (?:also |still )?be (?:\w+ )?(?:nice|great|good|better|best|lovely"
    r"|ideal|cool|helpful"
    r"|fine|ok|okay|perfect|preferable|nicer|wonderful|sweet|handy|welcome|a (?:\w+ )?(?:plus|bonus|shame|pity|idea"
    r"|good idea))\b",
    r"\b(?:it is|it's|is) (?:better|best|preferable|desirable|advisable|nicer)\b|\bnice to have\b|\bbest if\b",
    r"\b(?:if|when|where|whenever|wherever|as far as|as much as) (?:at all )?(?:possible|feasible|practical)\b"
    r"|\bif (?:you|we|it|that|they|he|she) can\b|\bif it can be\b",
    r"\b(?:would|'d) (?:\w+ )?(?:prefer|rather|love|enjoy|appreciate)\b|\bprefer(?:s|red|ence|ably)?\b",
    r"\b(?:tend|tends|tending|tries|try|trying|aim|aims|aiming) to\b|\btry and\b|\btry (?:putting|having|seating)\b",
    r"\b(?:seems?|appears?(?= (?:to|that|as|like)\b|,)|looks like|sounds like|feels like)\b",
    r"\b(?:supposed|expected|meant|rumou?red|said|thought|believed|likely|unlikely|due|planning|hoping"
    r"|inclined) to\b",
    r"\b(?:don't|doesn't|wouldn't|would not|do not|does not) mind\b|\b(?:fine|okay|ok|happy|cool) with\b|\bopen to\b",
    r"(?<!more )\b(?:is|are|be|'s|'re|am) (?:\w+ )?(?:happy|fine|okay|ok|content|comfortable)\b",
    r"\b(?:chances are|odds are|good chance|fair chance|a chance|risk that|not necessarily|optional(?:ly)?"
    r"|low priority|given (?:the|a) (?:choice|chance|option)|permitting|god willing|at a pinch|not essential"
    r"|no big deal)\b",
    r"\b(?:is|are|was|were) (?:considering|contemplating|thinking|leaning|debating)\b",
    r"^(?:how|what) about\b|^why (?:not|don't)\b",
)
# 'May' and 'can' permit, where no limit stands beside them that they state.
PERMISSION = re.compile(r"\b(?:may|can)\b(?! ?(?:not|n't|never|only|no)\b)")
LIMITED = re.compile(
    r"\bnot\b|n't\b|\bcannot\b|\bno\b|\bnever\b|\bnobody\b|\bonly\b|\bearliest\b|\blatest\b|\bsoonest\b|\bbetween\b"
    r"|\bfrom\b"
    r"|\bbefore or after\b|\bonce\b|\banyone but\b|\bevery\w* but\b|\bany\w* (?:other|but|except)\b|\bunder no\b"
)

_SAYS = (
    r"(?:thinks|thought|believes|believed|claims|claimed|reckons|reckoned|says|said|told|tells|heard|hears|reports"
    r"|reported"
    r"|suspects|suspected|guesses|guessed|assumes|assumed|supposes|supposed|feels(?: that| like)?|felt|argues|argued"
    r"|maintains|maintained|suggests|suggested|recommends|recommended|proposes|proposed|advises|advised|mentions"
    r"|mentioned|denies|denied|deny|doubts|doubted|wonders|wondered|asks|asked|hopes|hoped|fears|feared|expects"
    r"|predicts"
    r"|predicted|swears|swore|recalls|recalled|dreams|dreamed|dreamt|imagines|imagined|announces|announced|asserts"
    r"|asserted|hints|hinted|implies|implied|knows|knew|warns|warned|complains|complained|wrote|writes|states that"
    r"|stated"
    r"|figures|promises|promised|points out|pointed out|insinuates|pretends|pretended|agrees|agreed|shouted|whispered"
    r"|mumbled|joked|jokes|texted|emailed|gossips|alleges|alleged|contends|is (?:convinced|sure|certain|afraid|hoping"
    r"|adamant|confident|of the opinion|under the impression)|are (?:convinced|sure|certain|hoping|adamant)"
    r"|say|think|believe|claim|reckon|suggest|recommend|tell|hear|want to know|wants to know|wanted to know)"
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
REPORT = _any(
    r"\baccording to\b|\b(?:apparently|reportedly|allegedly|supposedly|purportedly|seemingly|evidently|rumou?r\w*"
    r"|gossip"
    r"|hearsay|ostensibly)\b",
    r"\b(?:word|legend|rumou?r|story) (?:is|has it|goes)\b",
    r"\b(?:in|from|to) (?:[\w']+ ){1,3}?(?:opinion|view|viewpoint|point of view"
    r"|eyes|mind"
    r"|estimation|experience|memory|perspective|book|dreams?|version|telling)\b",
    r"\b(?:suggestion|idea|proposal|opinion|impression|theory|belief|claim|hunch|dream|hope) (?:of|is|was|from"
    r"|that)\b",
    r"\b(?:was|were|been|got|am|is|are) (?:told|informed|assured|given to understand|advised|asked|reminded"
    r"|warned)\b(?! (?:to|for)\b)",
    r"\b(?:i|we)(?:'ve| have)? (?:heard|read|learn(?:ed|t)|gathered|was told|were told)\b",
    r"\bif (?:you ask|it (?:was|were) up to)\b|\bif you believe\b",
    rf"\b{_OTHERS} (?:[a-z'-]+ ){{0,4}}?{_WISHES}\b",
)
SPEECH = re.compile(rf"\b{_SAYS}\b")

PAST = _any(
    r"\bused to\b|\bno longer\b|\bany ?more\b|\bany longer\b",
    r"\b(?:yesterday|last (?:week|month|year|time|night|quarter|season|spring|summer|autumn|fall|winter)|previously"
    r"|formerly"
    r"|in the past|back (?:then|when|in)|originally|ago|at that time|once upon a time|the old (?:\w+ )?(?:plan"
    r"|version|draft"
    r"|schedule|rule)|(?:first|earlier|previous|old|former|original|last) (?:\w+ )?(?:draft|version|plan|layout"
    r"|seating|schedule|arrangement|agenda"
    r"|list|edition|round|meeting|setup|allocation|rota))\b",
    r"^(?:please )?(?:forget|scrap|cancel|ignore|disregard|undo|scratch|withdraw|revoke)\b",
    r"\b(?:was|were|wasn't|weren't|had(?! better)|hadn't)\b",
    r"\b(?:would|could|should|might|must) have (?:been|had|gone|sat|\w+ed)\b",
    r"\b(?:suppose|imagine|what if|let's (?:say|pretend|assume|suppose)|pretend|hypothetically|as if|if only|say,)\b",
    r"\bin an ideal world\b|\bin a perfect world\b|\bwere to\b",
)

COMPARISON = _any(
    r"\bthe \w+er\b.*\bthe (?:better|worse|merrier|nicer)\b",
    r"\b(?:twice|double|triple|thrice|half|[NM] times)\b(?= (?:as|the|of))",
    r"\bas (?!well\b|soon\b|long\b|far as\b|if\b|of\b)\w+ (?:\w+ ){0,3}?as\b",
    r"\b(?:more|less|fewer|better|worse|\w{2,}er|\w+ier) (?:\w+ ){0,3}?than\b|\bthan\b",
    r"\bevery (?:other|second|third|fourth|few)\b|\balternat(?:e|es|ing)\b|\b(?:daily|weekly|monthly|every (?:day"
    r"|week|slot|morning))\b",
    r"\b(?:next|following|same|previous) (?:day|slot|hour|week)\b|\b(?:day|slot|hour|week"
    r"|minute)s? (?:\w+ )?(?:after|before)\b"
    r"|\b(?:immediately|right|directly|straight|just|shortly|soon|long|well|much|far) (?:after|before|earlier"
    r"|later)\b",
    r"\b(?:closest|farthest|furthest|nearest|longest|shortest|biggest|largest|smallest|oldest|youngest)\b",
    r"\b(?:closer|nearer|further|farther|longer|shorter|bigger|larger|smaller|older|younger)\b(?! way)",
    r"\b(?:even|odd)(?:-numbered)? (?:\w+ )?(?:seat|position|slot|day|room|floor|number|chair|place)s?\b",
)
QUANTITY = _any(
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
    r"|slots?|seats?|meetings?|others?|members|persons?)\b",
    r"\bthe (?:others|rest)\b|\b(?:two|three|four) of (?:them|the)\b",
)
