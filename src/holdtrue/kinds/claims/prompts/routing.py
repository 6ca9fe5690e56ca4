"""Route a claim to the solver or to judges, by its type or by rules about its words (VERGE, section 3.3, table 7).

The rules are patterns, and the first one that is found in a claim decides. Words of uncertainty come first, because
they make the whole claim uncertain. Then come words that look like a number or a conclusion and are none, and then
rules and universal sentences, in which any word may be a plain predicate. After these a vague or subjective word
counts more than a number, and a number more than an order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.claim_record import ClaimType, Route
from holdtrue.kinds.claims.settings import Routing


@dataclass(frozen=True, slots=True)
class Rule:
    """Sentences in which the pattern is found take the route."""

    name: str
    route: Route
    pattern: re.Pattern[str]


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE)


_NUMBER_WORD = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty"
    r"|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:a\s+)?(?:dozen|hundred|thousand|million))"
)
_NUMBER = rf"(?:\d[\d.,]*(?:/\d+)?|{_NUMBER_WORD})"
_FEELING = (
    r"(?:felt|feels?|feeling|sad|happy|angry|proud|jealous|lonely|afraid|upset|disappointed|delighted|hurt|tired|bored"
    r"|nervous|excited|ashamed|loved?|loves|hated?|hates|cares?|cared|mood|matters?)"
)
_MEASURED = (
    r"(?:old|young|tall|short|long|heavi|heavy|light|new|cheap|fast|slow|larg|small|great|high|low|bigg|earli|lat|warm"
    r"|cold|deep|wid|thick|thin|near|far|few|less)"
)

# As much as nobody can give, or as much as there is.
_PERCENT = r"(?:100|1[1-9]0|[2-9]00|1,?000|a hundred(?: and ten)?)\s*(?:%|percent|per cent)"
_LOGIC = r"(?:follows?|followed|implie[sd]|means|meant|proves?|proved|therefore|necessarily|naturally|logically)"
_MANNER = r"(?:smile|silence|tone|voice|look|face|eyes|glance|gesture|sigh|manners?|words)"

RULES: tuple[Rule, ...] = (
    Rule(
        "likelihood",
        Route.SOFT,
        _words(
            r"likely|unlikely|likelihood|probabl[ey]|improbable|perhaps|maybe|possibly|presumably|chances?|odds|"
            r"might|could (?:well|easily)|(?:is|are) (?:expected|bound) to|it seems|seems to|seemingly|"
            r"apparently|predicts?|forecasts?|risks?|doubtful|i guess"
        ),
    ),
    Rule(
        "numeric idiom",
        Route.SOFT,
        _words(
            rf"{_PERCENT}(?=.{{0,60}}\b(?:effort|committed|sure|behind|energy|heart|everything))|"
            rf"(?:gave|gives?|giving|given)\s+(?:it\s+)?(?:(?:an?|her|his|their)\s+)?{_PERCENT}|"
            r"cloud nine|second to none|one in a million|24/7|(?:nine|ten) times out of ten|back to square one|"
            r"a (?:hundred|thousand|million) (?:times|reasons|things|thanks|apologies|miles|excuses|questions)|"
            r"a million bucks|million[- ]dollar|at sixes and sevens|(?:in|of) two minds|two left feet|two cents|"
            r"two birds|two and two together|(?:third|fifth) wheel|eleventh hour|sixth sense|seventh heaven|"
            r"nine lives|to the nines|whole nine yards|forty winks|catch-22|second (?:nature|thoughts?|fiddle)|"
            r"one of a kind|third degree|(?:at|on) first (?:glance|sight)|number one (?:fan|priority)|"
            r"two faces|two-faced|zero (?:patience|interest|tolerance|sense)|six feet under|ten feet tall|"
            r"(?:on|by) (?:his|her|their|its|my|your|our) own two feet|half (?:a )?mind|half the battle|"
            r"one[- ]track|all fours|three sheets|two peas|a dime a dozen|a dozen other|give me five|take five"
        ),
    ),
    Rule(
        "rhetoric",
        Route.SOFT,
        _words(
            rf"{_LOGIC}\b.{{0,80}}\b{_FEELING}|{_MANNER}\s+(?:\w+\s+)?(?:imply|implie[sd]|suggest\w*|prove[sd]?)|"
            r"it only follows|stands to reason|if only|if anything|if you ask (?:me|her|him)|"
            r"ifs,? (?:and|or) buts?|all in all|all but|above all|after all|nothing if not|anything but|"
            r"no wonder|not exactly|and then some|or something|or else|all the same|not half|all over the place|"
            r"all (?:that )?jazz|all ears|no brainer|no-brainer|logical thing|"
            r"equals? (?:trouble|happiness|success)|in (?:a|any) sense"
        ),
    ),
    Rule(
        "generic",
        Route.SOFT,
        _words(
            r"usually|typically|generally|normally|commonly|tends? to|as a rule|in general|mostly|ordinarily|"
            r"by nature|everybody knows|everyone knows|well known"
        ),
    ),
    Rule(
        "logical form",
        Route.HARD,
        re.compile(
            r"^(?:if|every|each|all|any|no|none|nobody|no one|everyone|everybody|everything|nothing|either|neither|only"
            r"|unless|it is not the case|not all|not every|some|at least one|there (?:is|are) (?:no|an?))\b"
            r"|\b(?:if and only if|neither\b.{0,120}\bnor|either\b.{0,120}\bor|subset|superset|disjoint"
            r"|implies|unless|(?<!as )(?<!even )if"
            r"|for all|there exists|is equivalent to|cannot both|not both|exclude each other|whoever)\b"
            r"|[∀∃∧∨¬→↔⊂⊆∈=<>≤≥]",
            re.IGNORECASE,
        ),
    ),
    Rule(
        "vague quantity",
        Route.SOFT,
        _words(
            r"many|few|several|(?<!at )most(?= (?:of|people|[a-z]+s)\b)|a lot|lots|plenty|numerous|"
            r"various|countless|hardly any(?:one|body)?|a (?:large |small |great )?number of|a handful|a couple|"
            r"often|frequently|sometimes|rarely|seldom|occasionally|much|a bit|quite|rather(?! than)|fairly|somewhat|"
            r"almost|nearly|about a|roughly|approximately|soon|recently|a while|long ago|"
            r"some (?:time|people|of)|enough"
        ),
    ),
    Rule(
        "subjective",
        Route.SOFT,
        _words(
            # Short words for properties (kind, nice, big, round) are left out: puzzles use them as plain predicates.
            r"beautiful(?:ly)?|(?:far|much) (?:more|less)|enchanting|suits?|ugly|lovely|wonderful(?:ly)?"
            r"|marvel+ous|gorgeous|pretty|good|better|best|"
            r"bad(?:ly)?|worse|worst|great|awful|terrible|horrible|boring|exciting|interesting|fascinating|"
            r"charming|delicious|tast(?:es|y|ed|ier)|impressive|elegant|amazing|fun|funny|reasonable|"
            r"unreasonable|comfortable|cosy|pleasant|unpleasant|important|famous|brilliant|clever|talented|"
            r"generous|graceful|touching|inspiring|dull|overrated|underrated|worth(?: it)?|deserves?|"
            r"enjoy(?:s|ed|able)?|too \w+|appealing|difficult|easy|easier|harder|hard to|stylish|tasteful|"
            r"cheerful|gloomy|calming|memorable|remarkable|perfect|superb|mediocre|fair|unfair|in spirit|feels?"
        ),
    ),
    Rule("number", Route.HARD, _words(rf"{_NUMBER}\s*%?|twice|half of|exactly one|only one|at least one")),
    Rule(
        "order",
        Route.HARD,
        _words(
            rf"{_MEASURED}(?:er|r|ier)?\s+than|"
            rf"(?:the|second-|third-){_MEASURED}e?st|"
            r"(?:more|less) (?:expensive|recent) than|before|after|earlier|later|precedes?|preceded|prior to"
            r"|next to|adjacent|"
            r"between|immediately|directly|(?:left|right) of|leftmost|rightmost|first|second|third|fourth|fifth|"
            r"last|sum|product|equals?|difference|total|prime|even number|odd number|divisible|"
            r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|noon|midnight|(?:a|p)\.?m\.?"
        ),
    ),
)


ROUTES: Mapping[ClaimType, Route] = {
    ClaimType.MATHEMATICAL: Route.HARD,
    ClaimType.LOGICAL: Route.HARD,
    ClaimType.TEMPORAL: Route.HARD,
    ClaimType.PROBABILISTIC: Route.SOFT,
    ClaimType.COMMONSENSE: Route.SOFT,
    ClaimType.VAGUE: Route.SOFT,
}
"""Where each type goes (VERGE, table 6)."""


def route_by_rules(text: str) -> Rule | None:
    """The first rule that applies; None where no rule says anything."""
    return next((rule for rule in RULES if rule.pattern.search(text)), None)


def choose_route(text: str, type: ClaimType, routing: Routing) -> tuple[Route, str]:
    """Return the route of a claim, and the reason: `type`, `rule: ...` or `setting`."""
    if routing == "hard":
        return Route.HARD, "setting"
    if routing == "soft":
        return Route.SOFT, "setting"
    rule = route_by_rules(text) if routing == "rules" else None
    return (ROUTES[type], "type") if rule is None else (rule.route, f"rule: {rule.name}")
