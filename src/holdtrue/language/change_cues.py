"""Regular expressions for the words by which free wording ends something that was agreed, or replaces it.

Finding one decides nothing by itself: `inferred_changes` also asks that the sentence names all that it would change.
All patterns are meant for text in small letters in which placeholders stand for names (`names.hide`).
"""

from __future__ import annotations

import re

# Who uses these speaks of something agreed, and says that it ends.
ENDS = re.compile(
    r"\b(?:cancel\w*|drop(?:s|ped|ping)?|forget|scrap(?:s|ped)?|scratch|remove[ds]?|delete[ds]?|withdraw\w*|withdrew"
    r"|retract\w*"
    r"|undo|undone|revoke[ds]?|rescind\w*|nvm|never ?mind|ignore|disregard|waive[ds]?|ditch|bin|axe|strike|erase"
    r"|lift(?:ed)?"
    r"|lose|pull|take (?:out|away)|kill|clear|nix|void|call(?:ed)? off|take back|took back|get rid of|do away with"
    r"|no need|out of the"
    r"|(?:is|are|was|were) (?:off|out|gone|history|over|lifted|void)|can go|may go|goes(?=\W*$|,)|all for nothing"
    r"|no longer|any ?more|any longer|not (?:needed|required|necessary|compulsory|mandatory|tied|bound)"
    r"|need not|needn't|optional"
    r"|any order|no difference|can (?:be|go|sit|stay|roam|happen) (?:wherever|whenever|anywhere|free|open))\b"
    r"|\bno more need\b|\bnot (?:need|have) to\b|n't (?:need|have to|needed|required|necessary|tied|bound|matter"
    r"|apply|count)\b"
    r"|[:,?] *(?:out|gone|off|delete|remove|cancel|scrap)\b"
)
# What is said of a thing itself: 'the hike is off'.
OFF = re.compile(r"E(?:'s| is| are) (?:now |all )?(?:off|out|gone|cancell?ed|dropped|scrapped)\b")
# Who speaks of a duty speaks of something agreed.
DUTY = re.compile(r"\b(?:ha(?:ve|s)|needs?) to\b|\bneed(?:n't| not)\b|\b(?:required|compulsory|necessary|obliged)\b")
# Who says that something may be again lifts what forbids it.
ALLOWS = re.compile(
    r"\b(?:can(?!'t|not)|may(?! not)|allowed|welcome|permitted|free to|okay|ok|fine)\b.*\b(?:now|again|after all|too"
    r"|as well|for all i care"
    r"|(?:if|when) they (?:want|like)|no problem|anyway|ignore|doesn't matter)\b"
    r"|\b(?:again|after all|now) (?:allowed|welcome|permitted|okay|ok|fine)\b"
    r"|\b(?:can|may|could) well\b|\ballowed\b|\bwelcome\b"
)
# What stands for something said: with it the name alone tells which.
SAYING = re.compile(
    r"\b(?:rules?|constraints?|conditions?|requirements?|restrictions?|ban|thing|stipulation|commitments?|agreement"
    r"|limit|gap"
    r"|bit|order|request|wish)\b"
)
EVERY = re.compile(
    r"\b(?:everything|all|anything|whatever|both|each|every)\b(?! (?:i care|the way|right|set|good|day|night"
    r"|of a sudden))"
)
# What takes the place of something else.
CHANGES = re.compile(
    r"\b(?:instead|rather|swap\w*|exchange\w*|switch\w*|replace[ds]?|in place of|from now on|now|after all|no longer"
    r"|any ?more"
    r"|from\b.*\bto|^no|no more|not|isn't|aren't|wo?n't|don't|doesn't|should be|must be|has to be|have to be"
    r"|needs? to be"
    r"|make (?:it|that|this)"
    r"|wrong|mistake|mixed up|nonsense|correct(?:ion)?|reverse|other way|enough|changed?|moved?|moving|moves"
    r"|shift(?:ed)?"
    r"|reschedul\w+|push(?:ed)?|bring|brought|goes|put|out of|have|what i want|better)\b"
)
# Where only the new thing is named, one of these must say that it is new.
MOVES = re.compile(
    r"\b(?:instead|swap\w*|from now on|now|wrong|mistake|make (?:it|that)|chang(?:e|ed|ing)|mov(?:e|ed|es|ing)"
    r"|shift(?:ed)?|reschedul\w+"
    r"|push(?:ed)?|postpon\w+|bring|brought|(?:in)?to(?= (?:the )?(?:\w+ )?[#EV\d])|goes to|put)\b|\u2192|->|=>"
)
# What stands behind these, to the end of its clause, is what something else takes the place of.
DISPLACED = re.compile(
    r"\b(?:(?:don't|doesn't|no longer) (?:have|has|need|needs) to [^,;.:]*|instead of|in place of|rather than"
    r"|no longer|no more|not(?! only)|isn't|aren't|wo?n't be|don't|doesn't|out of"
    r"|away from|from(?! now)|and not|used to be|fed up|^no)\b[^,;.:]*?(?=[,;.:]|\b(?:but|to|into|and|move|put"
    r"|go(?:es)?|we|now|its|it's)\b|$)"
)
# What a clause with one of these names is left alone.
STAYS = re.compile(
    r"\bas (?:is|it is|they are|planned|before)\b|(?<!can't )(?<!not )\b(?:stays?|remains?|stands?|unchanged"
    r"|untouched|no changes?)\b"
)
# Whoever says one of these leaves something as it is, speaks of what was, or wants what he names not to be done.
LEAVES = re.compile(
    # 'I'd hate to cancel it': only of one's own will is something done away with.
    r"(?<!want )(?<!like )(?<!need )(?<!have )(?<!kind as )(?<!good as )(?<!you )(?<!decided )(?<!going )(?<!time )"
    r"\bto (?:cancel|drop|forget|scrap|scratch|remove|delete|withdraw|retract|undo|revoke|lift|change|swap|switch|shift"
    r"|replace|reschedule|bin|ditch|pull|lose|move)\b|"
    r"\b(?:sometimes|often|usually|normally|always|rarely|hardly|probably|possibly|every (?:day|week|time|year))\b|"
    r"(?<!that )(?<!which )\bkeeps?\b(?! (?:\w+ )?(?:out|away|off|apart|separate))"
    rf"|{STAYS.pattern}|(?<!can't )(?<!not )\bstill\b"
    r"|\b(?:don't|do not|never|not to|didn't|did not|won't|will not|wouldn't|can't|cannot|let's not|rather not"
    r"|please not|without"
    r"|nobody|no one|no plans? to|not going to|hasn't|haven't|must not|mustn't) (?:\w+ ){0,2}?(?:be |been )?"
    r"(?:cancel|drop|forget|scrap|scratch|remov|delet|withdr|retract|undo|revok|lift|chang|mov|swap|switch|touch"
    r"|shift|replac"
    r"|reschedul|bin|ditch|pull|lose|take)\w*"
    r"|\b(?:i|we|always|often|sometimes|they|you) (?:always |often |sometimes |keep )?(?:forg[eo]t|lose|lost|drop"
    r"|pull)\b"
    r"|\b(?:yesterday|last (?:week|month|year|time)|ago|used to|almost|nearly|remember|reminder|thinking|thought"
    r"|tempted|ask(?:s|ed)?"
    r"|(?<!\bi )(?<!\bwe )(?<!n't )wants?|wanted|wish(?:es|ed)?|would|might|maybe|perhaps|if(?! you please)|unless"
    r"|until|when|whether|should (?:i|we)|what about|how about"
    r"|wonder\w*|suppose|says?|(?<!\bi )(?<!\bwe )said|told|heard|hear|thinks?|believes?|suggests?|claims?|reckons?"
    r"|proposes?|insists?|prefers?"
    r"|hopes?|according|opinion)\b"
)
"""Wishes of others, conditions and the like are looked for here too, more strictly than in what only states."""
