"""Words that tell names of single things from other words (`language.claims.naming`)."""

from __future__ import annotations


def _split(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


KINDS = _split("people children men women everyone someone no all every each some")
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
BARE_IDIOMS = _split(
    "home work school class college university church bed town hospital prison court sea land foot time call love",
    "fact general particular public private common order addition total part need use life death nature practice",
    "theory trouble danger turn advance person detail short full vain once least most first last all bus train car",
    "plane bike purpose sale demand strike holiday vacation duty business fire breakfast lunch dinner noon night",
    "midnight english science art music sport history mathematics future past present charge return english place",
)
"""Nouns that go without an article though they name nothing: at home, in fact, on time."""
PREPOSITIONS = _split(
    "about above across after against along among around as at before behind below beside between beyond by during",
    "for from in inside into near next of off on onto outside over since than through till to toward towards under",
    "until up upon via with within without out",
)
RELATING = _split(
    "is are was were be been being not a an the every each any no all some most many very too so as than itself",
    "of in on at to from by for with about into and or",
)
"""What stands before words that say how something is, of what kind, or where: handler is deprecated."""
NO_SUPERLATIVES = _split("forest request interest harvest contest protest arrest digest chest priest")
NO_VERBS = _split("as this its his us thus always sometimes perhaps less besides towards plus yes across years days")
SENTENCE_WORDS = _split(
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
