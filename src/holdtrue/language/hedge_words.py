"""Regular expressions for hedges: the words by which a sentence says that something is only likely, hoped for or tried.

As in `qualifying_words`, all patterns are for masked text in small letters.
"""

from __future__ import annotations

from holdtrue.language.qualifying_words import any_of

HEDGE = any_of(
    r"(?<!n't )(?<!not )(?<!never )\b(?:allowed|permitted|welcome|free|entitled|eligible|able) (?:to|in|on|at)\b",
    r"(?<!not )(?<!n't )\b(?:possible|conceivable|plausible|likely) (?:that|for|to)\b|\bcrossed\b|\btouch wood\b"
    r"|\bknock on wood\b",
    r"\bwith (?:any|some|a (?:bit|little|touch) of|a little) luck\b|\ball (?:being|going) well\b|\bas (?:things"
    r"|it) stands?\b",
    r"\b(?:currently|at present|at the moment|right now|to begin with|initially|somewhere (?:near|around|close"
    r"|about))\b",
    # What is only remarked on behind a colon or a dash is no demand: 'Ann before Bob: risky.'
    r"[:,-] *(?:\w+ )?(?:risky|tricky|iffy|doubtful|wishful thinking|pity|shame|too bad|discuss|thoughts|hm+|dream on"
    r"|no idea|who knows|tbd|tbc|to be (?:discussed|decided|confirmed|seen)|not my (?:problem|idea)|go figure)\W*$",
    r"\b(?:happy|fine|ok|okay|content|good) (?:anywhere|anytime|any time|whenever|wherever|either way|with (?:any"
    r"|either)\w*)\b"
    r"|\bwishful thinking\b|\bjust a (?:hunch|guess|thought)\b",
    r"\bi (?:hear|fear|take it|trust|am afraid)\b|\bi'm afraid\b|\bin two minds\b",
    r"(?<!n't )(?<!not )\bpossibly\b",
    r"\b(?:maybe|perhaps|probably|presumably|conceivably|potentially|hopefully|ideally|preferably|likely"
    r"|unlikely|theoretically|tentative(?:ly)?|provisional(?:ly)?|arguably|by default|usually|normally|generally"
    r"|typically|mostly|mainly|largely|sometimes|occasionally|often|frequently|rarely|hardly(?: ever)?|seldom"
    r"|scarcely"
    r"|barely|almost|nearly|practically|virtually|roughly|approximately|approx|circa|somewhat|more or less|or so"
    r"|(?<!same )(?:sort of|kind of)|as a rule|in (?:theory|principle)|at times|now and then|once in a while"
    r"|from time to time|on occasion|every so often|sooner or later|off and on|on and off)\b",
    r"-ish\b|(?<=[NM])ish\b|\b(?:in )?(?:all )?(?:likelihood|probability)\b|\bfor the most part\b|\bby and large\b"
    r"|\bon the whole\b|\bon average\b"
    r"|\bif at all\b|\bif ever\b|\bif anything\b|\bideal(?:ly)? (?:world|case|scenario)\b|\bas likely as not\b"
    r"|\bdoubtless(?:ly)?\b"
    r"|\b(?:tbc|tba|tbd|to be (?:confirmed|decided|discussed|determined|agreed|announced))\b|\bsubject to\b"
    r"|\bup for (?:debate|grabs|discussion)\b"
    r"|\bfor want of a better\b|\bplaceholder\b|\bwork(?:ing)? (?:assumption|hypothesis|title)\b|\bin the balance\b"
    r"|\bup in the air\b"
    r"|\b(?:not|n't) (?:set|carved|cast|written) in stone\b|\bhalf (?:thinking|expecting|hoping|tempted)\b"
    r"|\btempted\b|\bin the running\b"
    r"|\bmy (?:\w+ )?(?:guess|hunch|bet|hope|instinct|gut|intuition|impression|money)\b|\bgut (?:feeling|instinct)\b"
    r"|\bat a guess\b"
    r"|\b(?:best|wild|rough|educated) (?:guess|estimate)\b|\bdon't (?:quote|hold) me\b|\bi could be wrong\b"
    r"|\bcorrect me\b|\bunless i\b"
    r"|\b(?:wouldn't|would not) (?:hurt|go amiss|be (?:bad|terrible|amiss))\b|\bworth (?:a try|trying|considering"
    r"|a thought)\b"
    r"|\b(?:with )?fingers\b|\bwith luck\b|\blooks? set\b|\b(?:odd|occasional) (?:time|occasion)\b"
    r"|\ball things being equal\b"
    r"|\bmore often than not\b|\bnine times out of ten\b|\bas (?:often|much|far) as (?:possible|not)\b|\b(?:most"
    r"|much) of the time\b"
    r"|\bfair(?:ly)? (?:sure|certain|likely|confident)\b|\b(?:pretty|quite|almost|reasonably|nearly"
    r"|more or less) (?:sure|certain)\b"
    r"|\b(?:say|let's say)\W*$|\bor something\b|\bsomething like\b|\band so on\b|\bat a (?:push|stretch)\b"
    r"|\bpushed for\b"
    r"|\b(?:contemplat|consider|mull|debat|ponder|weigh|entertain)(?:s|es|ing|ling|ting)\b|\bbest case\b"
    r"|\bat worst\b|\bat best\b",
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
    r"\b(?:i(?:'m| am) )?(?:toying|playing) with\b|\bpencil(?:l?ed|l?ing|s)?\b|\blet's see\b"
    r"|\bwe(?:'ll| will) see\b",
    r"\b(?:would|'d|might|could|may|should) (?:also |still )?be (?:\w+ )?(?:nice|great|good|better|best|lovely"
    r"|ideal|cool|helpful"
    r"|fine|ok|okay|perfect|preferable|nicer|wonderful|sweet|handy|welcome|a (?:\w+ )?(?:plus|bonus|shame|pity|idea"
    r"|good idea))\b",
    r"\b(?:it is|it's|is) (?:better|best|preferable|desirable|advisable|nicer)\b|\bnice to have\b|\bbest if\b",
    r"\b(?:if|when|where|whenever|wherever|as far as|as much as) (?:at all )?(?:possible|feasible|practical)\b"
    r"|\bif (?:you|we|it|that|they|he|she) can\b|\bif it can be\b",
    r"\b(?:would|'d) (?:\w+ )?(?:prefer|rather|love|enjoy|appreciate)\b|\bprefer(?:s|red|ence|ably)?\b",
    r"\b(?:tend|tends|tending|tries|try|trying|tried|aims?|aiming|strives?|striving|hop(?:e|es|ing)|intends?"
    r"|intending|intended"
    r"|plans?|planning|endeavou?rs?|seeks?|seeking|long|longs|longing|would (?:like|love)|'d (?:like|love)) to\b"
    r"|\b(?:do|does|doing) (?:your|my|our|his|her|their) (?:very )?best\b|\b(?:aim|(?<!-)go|shoot|push|strive|hope"
    r"|aiming|shooting|hoping) for\b"
    r"|\bpreferring\b|\bwith a (?:preference|view)\b|\ba (?:slight|strong|mild) preference\b"
    r"|\btry and\b|\btry (?:putting|having|seating)\b",
    r"\b(?:seems?|seemed|seemingly|appears?(?= (?:to|that|as|like)\b|,)|appears?(?=\W*$)|by the looks?|from the looks?"
    r"|(?:look|sound|feel)s? (?:like|as (?:if|though))|to all appearances)\b",
    r"\b(?:supposed|expected|meant|rumou?red|said|thought|believed|likely|unlikely|due|planning|hoping"
    r"|inclined) to\b",
    r"\b(?:don't|doesn't|wouldn't|would not|do not|does not) mind\b|\b(?:fine|okay|ok|happy|cool) with\b|\bopen to\b",
    r"(?<!more )\b(?:i'd|i would|i'll|we'd|we would|[EX]|is|are|'s|'re|i'm|am|be) (?:be )?(?:\w+ )?(?:happy|fine"
    r"|okay|ok|content|comfortable) (?:to|if|with|about|when|either)\b|\b(?:would|'d|'ll|will) be (?:fine|ok|okay)\b",
    r"\b(?:chances are|odds are|good chance|fair chance|a chance|risk that|not necessarily|optional(?:ly)?"
    r"|low priority|given (?:the|a) (?:choice|chance|option)|permitting|god willing|at a pinch|not essential"
    r"|no big deal)\b",
    r"\b(?:is|are|was|were) (?:considering|contemplating|thinking|leaning|debating)\b",
    r"\b(?:fun|interesting|amusing|funny|sweet|cute|delightful|delighted|thrilled|over the moon|a treat|a pleasure"
    r"|a pity|a shame) (?:to|if|that|for)\b"
    r"|\bwould (?:suit|do|work|help|make sense|be \w+)\b|\bis an? (?:\w+ )?(?:option|possibility|idea|thought"
    r"|suggestion|proposal|dream)\b"
    r"|\bone (?:\w+ )?(?:option|possibility|idea|thought|way)\b|\b(?:just|only|merely) (?:an?|my) (?:\w+ )?(?:idea"
    r"|thought|suggestion|proposal|guess)\b"
    r"|\bso far\b|\bfor starters\b|\bfor a start\b|\bthere(?:'s| is) (?:some )?(?:talk|a suggestion|a rumou?r|hope"
    r"|speculation|a possibility)\b"
    r"|\bgood idea\b|\bmy (?:first )?thought\b|\b(?:pity|shame) that\b|^did you know\b|\bif you (?:prefer|(?:would "
    r"|'d )rather)\b|\bat your discretion\b"
    r"|\b(?:where|when) (?:appropriate|applicable|necessary|needed|desired)\b",
    r"\d+ish\b|\bon paper\b|\(\?+\)|\b(?:stab|shot) in the dark\b|\blong shot\b",
    r"\bvaguely\b|\b(?:idk|dunno|iirc|imo|imho)\b|\b(?:spitball|brainstorm|daydream|mus)ing\b"
    r"|\bthinking (?:aloud|out loud)\b|\bi (?:ask|keep asking) myself\b|\b(?:pinch|grain) of salt\b"
    r"|\bclose to (?:putting|having|placing|seating|giving|making)\b|\bon the (?:verge|point|brink) of\b"
    r"|\b(?:wouldn't|would not|isn't|won't) (?:it|that) be\b",
    r"^(?:how|what) about\b|^why (?:not|don't)\b",
)
