"""Let an entity join a conversation that was begun: all that was agreed goes on to hold, or nobody joins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdtrue.errors import DomainError, RecordError, SettingsError
from holdtrue.language.asking_back import Question
from holdtrue.language.newcomers import ask_to_join
from holdtrue.language.reading import Reading
from holdtrue.ledger.ledger import Ledger
from holdtrue.ledger.restore import restore
from holdtrue.record import Satisfiability
from holdtrue.solving.counted import CountedEngine
from holdtrue.solving.route import counted_engine
from holdtrue.verification.verify import Verifier
from holdtrue.verification.words import quote
from holdtrue.world.answer import Unparsed
from holdtrue.world.instance import Instance
from holdtrue.world.joining import join
from holdtrue.world.world import Setting


@dataclass(frozen=True, slots=True)
class Joined:
    """A `Joined` has all of a conversation that depends on its instance, made anew for one more entity."""

    instance: Instance
    ledger: Ledger
    engine: CountedEngine
    verifier: Verifier


def let_join(instance: Setting, ledger: Ledger, verifier: Verifier, name: str) -> Joined:
    """Return what a conversation goes on with once `name` has joined its entities.

    Every event of the ledger must have its place in the new instance, and what could be kept before must not be proved
    impossible now. Raises `SettingsError`, which says what stands against it; nothing is changed.
    """
    if not isinstance(instance, Instance):
        raise SettingsError(f"{name!r} cannot join: this world has no entities, as instances of domains have")
    if (known := instance.find_entity(name)) is not None:
        raise SettingsError(f"{name!r} cannot join: {known} is there already")
    try:
        made = join(instance, name)
        kept = restore(made, ledger.events)
    except DomainError as error:
        raise SettingsError(f"{name!r} cannot join: {error}") from error
    except RecordError as error:
        raise SettingsError(f"{name!r} cannot join, for what was said would mean nothing then: {error}") from error
    engine = counted_engine(list(made.variables.values()), made.background)
    joined = Joined(made, kept, engine, Verifier(made, engine, verifier.budget))
    _check_room(joined, ledger, verifier, name)
    return joined


def ask_who_joins(
    instance: Setting,
    ledger: Ledger,
    verifier: Verifier,
    readings: Sequence[Reading],
    asked_before: Sequence[str],
    turn: int,
    number: int,
) -> tuple[Question, ...]:
    """Return questions whether those shall join whom the readings name and nobody knows, or () if not all of them can.

    `number` is the first question's.
    """
    if not isinstance(instance, Instance):
        return ()
    questions = ask_to_join(instance, readings, asked_before, turn, number)
    current: Setting = instance
    try:
        for one in questions:
            joined = let_join(current, ledger, verifier, str(one.joins))
            current, ledger, verifier = joined.instance, joined.ledger, joined.verifier
    except SettingsError:
        return ()
    return questions


def _check_room(joined: Joined, ledger: Ledger, verifier: Verifier, name: str) -> None:
    """Raise `SettingsError` if what can be kept without the new entity is proved impossible with it."""
    nothing = Unparsed("there is no answer yet")
    after = joined.verifier.verify(joined.ledger, nothing)
    if after.basis is not Satisfiability.UNSAT:
        return
    if verifier.verify(ledger, nothing).basis is Satisfiability.UNSAT:
        return  # that clashed already, and is told
    clash = "; ".join(quote(joined.ledger.active, after.mus or ()))
    held = f"what was agreed could not be kept: {clash}" if clash else "the laws of the domain leave no room"
    raise SettingsError(f"{name!r} cannot join: {held}")
