"""A `Context` holds the premises that claims are tested against, as formulas in a solver.

Inconsistent premises entail every claim and its negation, so they give no verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.mus import smallest_mus
from holdtrue.solving.explain.relaxation import minimum_mcs
from holdtrue.solving.result import BackgroundConflict, Core, Id, Mcs, MinimumMcs, Mus, Satisfiable, Unknown
from holdtrue_claims.fol.conventions import CONVENTIONS, IN_WORDS, Convention, aliases, without
from holdtrue_claims.fol.meaning import Stated, sentence_of
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.solving.sentence_route import SentenceEngineFactory, counted_sentences

Correction = MinimumMcs | Mcs | Unknown | BackgroundConflict


def correct(
    engine: Engine, soft: Soft, confidence: Mapping[Id, float], budget: Budget, *, minimum: bool = False
) -> Correction:
    """Return a correction: formulas of `soft` to drop so that the others can hold, with a witness for the others.

    If `minimum` is false, formulas are kept greedily, the most confident first (VERGE, algorithm 1). The result is an
    `Mcs`: each dropped formula has to go while the kept ones stay, but another correction may be smaller. If `minimum`
    is true, the result is a `MinimumMcs`: no correction drops fewer, and confidence decides between equal sizes. It is
    an `Mcs` if the budget ended before that proof. `BackgroundConflict` means that no correction exists, and `Unknown`
    that the budget ended first.
    """
    order = sorted(soft, key=lambda id: -confidence.get(id, 0.0))  # equals keep their order
    return (minimum_mcs if minimum else greedy_mss)(engine, soft, budget, order)


CANNOT_HOLD = "the premises cannot all hold"


@dataclass(frozen=True, slots=True)
class InconsistentContext:
    """The premises cannot all hold together.

    `premises` are the clashing ones; if there are none, the laws alone are impossible. `minimal` says that all of them
    are proved necessary. Without `conventions` the premises could hold.
    """

    premises: tuple[Id, ...]
    minimal: bool
    conventions: tuple[Convention, ...] = ()

    @property
    def reason(self) -> str:
        """Return the reason in words."""
        return "; ".join(
            (CANNOT_HOLD, *(f"this needs what nobody stated: {IN_WORDS[own]}" for own in self.conventions))
        )


def with_aliases(vocabulary: Vocabulary, formulas: Iterable[Formula]) -> Vocabulary:
    """Return the vocabulary in which the names that formulas equate may mean the same thing."""
    # Formulas of finite problems have another form, without a first-order sentence.
    said = [formula.sentence for formula in formulas if isinstance(formula, Stated)]
    return replace(vocabulary, aliases=aliases(said))


class Context:
    """A `Context` has premises by id in one solver engine. Names that the premises equate may mean the same thing.

    `budget` limits each question: one claim or one correction. `make` makes this engine and the engines of joint
    checks. Raises `InputError` for an id that begins with '=', which the engine reserves.
    """

    def __init__(
        self,
        premises: Mapping[Id, Formula],
        vocabulary: Vocabulary,
        budget: Budget,
        *,
        make: SentenceEngineFactory = counted_sentences,
    ) -> None:
        check_ids(premises)
        self.premises = dict(premises)
        self.vocabulary = with_aliases(vocabulary, premises.values())
        self.budget = budget
        self.make = make
        self.engine = make(self.vocabulary)
        self.engine.hold(self.premises)

    @cached_property
    def assuming(self) -> Engine:
        """Return the engine that assumes that only the named things exist, which nobody stated."""
        return self.make(self.vocabulary, closed=True)

    @cached_property
    def status(self) -> Satisfiable | InconsistentContext | Unknown:
        """Return whether all premises can hold together. The solver is asked only once."""
        deadline = self.budget.start()
        found = self.engine.decide(self.premises, self.budget)
        if isinstance(found, Satisfiable | Unknown):
            return found
        conflict = smallest_mus(self.engine, self.premises, self.budget.until(deadline))
        if isinstance(conflict, BackgroundConflict):
            return InconsistentContext((), True)
        # The clash itself is proved, even if the time was too short for a smaller core.
        ids = conflict.ids if isinstance(conflict, Mus | Core) else tuple(self.premises)
        needed = self.conventions_of({id: self.premises[id] for id in ids}, self.budget.until(deadline))
        return InconsistentContext(ids, isinstance(conflict, Mus), needed)

    def conventions_of(
        self, impossible: Soft, budget: Budget, vocabulary: Vocabulary | None = None
    ) -> tuple[Convention, ...]:
        """Return the unstated conventions without which clashing formulas could all hold, as far as is known.

        The result names as few conventions as possible, and is empty if the formulas are proved impossible without any.
        `vocabulary` is that of the formulas if it is larger than the context's.
        """
        deadline = budget.start()
        words = vocabulary or self.vocabulary
        unstated = self._unstated(words)
        if not unstated:
            return ()
        said = {id: sentence_of(formula) for id, formula in impossible.items()}
        assumed = [own for own in unstated if without((own,), words, said) != (words, said)]

        def impossible_with(kept: Collection[Convention]) -> bool:
            engine, weaker = self._weakened(words, said, [own for own in unstated if own not in kept])
            found = engine.decide(weaker, budget.until(deadline))
            return not isinstance(found, Satisfiable | Unknown)

        if not assumed or impossible_with(()):
            return ()
        for own in (*assumed,):
            fewer = [other for other in assumed if other != own]
            if fewer and impossible_with(fewer):
                assumed = fewer
        return tuple(assumed)

    def core_without_conventions(self, query: Mapping[Id, Formula], budget: Budget) -> Mus | Core | None:
        """Return premises that clash with the query even without unstated conventions; None if no proof is found."""
        said = {id: sentence_of(formula) for id, formula in {**self.premises, **query}.items()}
        engine, weaker = self._weakened(self.vocabulary, said, self._unstated(self.vocabulary))
        deadline = budget.start()
        core = engine.check(weaker, budget.until(deadline, 2))
        if not isinstance(core, Core):
            return None
        # The core is a proof already; a smaller one may take too long.
        fewer = smallest_mus(engine, {id: weaker[id] for id in core.ids}, budget.until(deadline))
        found = fewer if isinstance(fewer, Mus | Core) else core
        return found if set(found.ids) <= {*self.premises, *query} else None

    def _unstated(self, words: Vocabulary) -> list[Convention]:
        return [own for own in CONVENTIONS if own not in words.stated]

    def _weakened(
        self, words: Vocabulary, said: Mapping[Id, Sentence], dropped: Collection[Convention]
    ) -> tuple[Engine, dict[Id, Stated]]:
        weakened, weaker = without(dropped, words, said)
        return self.make(weakened), {id: Stated(own) for id, own in weaker.items()}

    def correction(self) -> Correction:
        """Return as few premises as possible to drop so that the others can hold; see `correct`."""
        return correct(self.engine, self.premises, {}, self.budget, minimum=True)


def check_ids(*groups: Mapping[Id, object]) -> None:
    """Raise `InputError` for an id that occurs twice in these groups, or that begins with '='."""
    seen: set[Id] = set()
    for id in (id for group in groups for id in group):
        if id.startswith("="):
            raise InputError(f"a name may not begin with '=': {id!r}")
        if id in seen:
            raise InputError(f"a premise, a claim or a bridge has the name of another: {id!r}")
        seen.add(id)
