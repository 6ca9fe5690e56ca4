"""Let a model choose a formula among its near variants, to detect errors that similar words hide.

An error in argument order, direction, numbers, units, quantifiers, connectives or negations changes the meaning, but
hardly a word. So code words the formula and its variants, and the model picks the statement that matches the sentence.
The place of the formula in the list changes from round to round. The formula counts only if it wins most rounds of
every group of variants.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from random import Random

from holdtrue.errors import FormulaError
from holdtrue.language.asking import Asking
from holdtrue.solving.result import Different
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.english import Teller
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import write_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.variants import choose_variants, variants
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.kind.equivalence import same_meaning
from holdtrue_claims.kind.mentions import mentions_in
from holdtrue_claims.kind.plain_mismatch import plain_mismatch
from holdtrue_claims.kind.premises import Premises
from holdtrue_claims.kind.prompts.choice import choose
from holdtrue_claims.kind.settings import FormalSettings

_NOTHING = "none of the statements that were shown"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A `Chosen` says whether a formula was chosen for its sentence.

    `words` is the wording of the formula by code. `calls` counts the questions to a model, and `shown` the variants.
    `reason` says why the formula was refused, and `instead` is the statement chosen in its place, if any.
    """

    accepted: bool
    words: str = ""
    calls: int = 0
    shown: int = 0
    reason: str | None = None
    instead: str | None = None


async def choose_formula(
    asking: Asking, vocabulary: Vocabulary, text: str, sentence: Sentence, settings: FormalSettings, before: str = ""
) -> Chosen:
    """Decide whether a formula has the meaning of its sentence. A plain mismatch is refused without a call.

    `settings` limit the rounds, statements and variants. `before` is the text before the sentence. Raises `ModelError`,
    and `FormulaError` for a formula without a meaning.
    """
    meant = state(sentence, vocabulary).sentence
    plain = plain_mismatch(text, meant, vocabulary, before)
    if plain is not None:
        return Chosen(False, reason=plain)
    teller = Teller(vocabulary)
    words = teller.say(meant)
    others = [
        teller.say(each) for each in near_variants(vocabulary, f"{before} {text}", meant, settings.choice_variants)
    ]
    found = Chosen(True, words, shown=len(others))
    for group in in_groups(others, settings.choice_shown - 1):
        won, calls, instead = await _hold_rounds(asking, text, words, group, settings.choice_rounds, before)
        found = replace(found, calls=found.calls + calls)
        if not won:
            reason = f"asked what the sentence says, the model chose: {instead or _NOTHING}"
            return replace(found, accepted=False, reason=reason, instead=instead)
    return found


def near_variants(vocabulary: Vocabulary, text: str, sentence: Sentence, most: int) -> tuple[Sentence, ...]:
    """Return the likeliest variants of a formula that are proved to mean something else."""
    own = state(sentence, vocabulary)

    def differs(other: Sentence) -> bool:
        try:
            return isinstance(same_meaning(own, state(other, vocabulary), vocabulary), Different)
        except FormulaError:
            return False

    found = variants(sentence, vocabulary, mentions_in(text, vocabulary))
    return tuple(each.sentence for each in choose_variants(found, most, differs))


def in_groups(others: Sequence[str], most: int) -> Iterator[Sequence[str]]:
    """Yield the other statements in as few groups of at most `most` as possible, of nearly equal sizes; at least one
    group.
    """
    count = max(1, -(-len(others) // most))
    for place in range(count):
        yield others[place::count]


async def _hold_rounds(
    asking: Asking, text: str, words: str, others: Sequence[str], rounds: int, before: str
) -> tuple[bool, int, str | None]:
    """Ask until most rounds agree; return whether the formula won, the number of calls, and any other winner."""
    won = lost = 0
    instead: str | None = None
    needed = rounds // 2 + 1
    while won < needed and lost <= rounds - needed:
        number = won + lost
        order = shuffled_with(words, others, text, number)
        chosen = await choose(asking, text, order, number, before=before)
        if chosen is not None and order[chosen] == words:
            won += 1
        else:
            lost += 1
            instead = (None if chosen is None else order[chosen]) or instead
    return won >= needed, won + lost, instead


def shuffled_with(words: str, others: Sequence[str], text: str, number: int) -> list[str]:
    """Return the statements of one round, in an order that depends only on the sentence and the round.

    The formula moves from round to round, so a model that always picks the same place does not choose it.
    """
    seed = blake2b(repr((text, sorted(others))).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    dice = Random(int.from_bytes(seed, "big"))
    first = dice.randrange(len(others) + 1)
    order = list(others)
    Random(dice.randrange(2**32) + number).shuffle(order)
    order.insert((first + number) % (len(others) + 1), words)
    return order


async def confirm_premises(
    asking: Asking, settings: FormalSettings, premises: Premises, ids: Collection[str]
) -> Premises:
    """Return the premises after each premise in `ids` was confirmed or refused. A refused one has an alert and no
    formula.

    A proof from a misread premise proves nothing, so a refused premise counts as unread. Nothing is asked about
    confirmed premises, or if the settings have no choice rounds. Raises `ModelError`.
    """
    open_ = {each.id for each in premises.entries if each.sentence is not None and not each.confirmed} & set(ids)
    if not settings.choice_rounds or not open_:
        return premises
    entries = []
    for each in premises.entries:
        if each.id in open_ and each.sentence is not None:
            found = await choose_formula(asking, premises.vocabulary, each.text, each.sentence, settings)
            alert = Alert("refused", found.reason or "it was not chosen for its sentence", write_fol(each.sentence))
            each = (
                replace(each, confirmed=True)
                if found.accepted
                else replace(each, sentence=None, formula=None, alerts=(*each.alerts, alert))
            )
        entries.append(each)
    return replace(premises, entries=tuple(entries))
