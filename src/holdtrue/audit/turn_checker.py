"""Check logged turns one after another, with a cache of worlds and results."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from holdtrue.audit.log_row import UNREADABLE, UNSET, LogRow, any_value, cut, field_in, names_in, parsed, value_of
from holdtrue.audit.shard_job import Explain
from holdtrue.audit.world_cache import CachedWorld, LoggedLedger, NamedWorld, has_marks, numbered_world, soft_of
from holdtrue.budget import Budget
from holdtrue.errors import InputError, RecordError
from holdtrue.logic.evaluate import Values
from holdtrue.record import AnswerStatus, Satisfiability, Trigger, TurnOutcome, VerdictRecord
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.result import Nearest, Satisfiable
from holdtrue.verification.logged_turn import CheckedTurn, check_logged_turn, read_logged_turn
from holdtrue.world.domain import Domain

_MOST_NAMES, _MOST_WORLDS = 4_096, 256
_NULL = b"null"
_HOLDS = VerdictRecord(Satisfiability.SAT, AnswerStatus.RESPECTING)
_HOLDS_UNREAD = VerdictRecord(
    Satisfiability.SAT, AnswerStatus.RESPECTING, triggers=(Trigger.CONSTRAINT_EXTRACTION_FAILED,)
)


class Checker:
    """A `Checker` gives the verdicts of `check_logged_turn`, and caches values that many turns share.

    It decides plain turns itself: their answers give each variable one value, or can be completed. All other turns go
    to `check_logged_turn`, so that verdicts and errors are equal. `quick` and `slow` count both. `explain` says which
    broken turns get a minimal conflict (MUS) and the nearest answer: `all`, the `first` of each conversation, or
    `none`.
    """

    def __init__(
        self,
        domains: Mapping[str, Domain],
        default: Domain | None = None,
        *,
        explain: Explain = "all",
        budget: Budget | None = None,
    ) -> None:
        self.domains = domains
        self.default = default
        self.explain = explain
        self.budget = budget or Budget(timeout_s=5.0)
        self.quick = self.slow = 0
        self._names: OrderedDict[tuple[int, bytes, bytes], NamedWorld | None] = OrderedDict()
        self._worlds: OrderedDict[tuple[int, object, bytes], CachedWorld] = OrderedDict()
        self._explained: set[str | int] = set()

    @property
    def worlds(self) -> int:
        """Return the number of cached worlds."""
        return len(self._worlds)

    def check(self, line: bytes) -> CheckedTurn:
        """Return the verdict on a line. Raises `RecordError` with the fault of a bad line."""
        return self.check_turn(cut(line), line)

    def check_turn(self, turn: LogRow | None, line: bytes | None = None) -> CheckedTurn:
        """Return the verdict on a turn, or on the line that it comes from. Raises `RecordError`."""
        try:
            found = None if turn is None else self._quickly(turn)
        except UNREADABLE:
            found = None
        if found is not None:
            self.quick += 1
            return found
        self.slow += 1
        return self._slowly(line, turn or LogRow(conversation=field_in(line, "conversation")))

    def _quickly(self, turn: LogRow) -> CheckedTurn | None:
        domain = self._domain(turn)
        if domain is None:
            return None
        names = self._known_names(domain, turn)
        if names is None or not names.extend(bytes(turn.constraints)):
            return None
        values = names.read(turn.answer)
        if values is None:
            return None
        if len(values) < len(names.world.ranges):
            return self._judge_partial(turn, names, values)
        gold = self._gold(names, turn)
        return None if gold is None else self._judge(turn, names, values, gold)

    def _domain(self, turn: LogRow) -> Domain | None:
        default = self.default
        if turn.domain is UNSET:
            return default
        if default is not None and turn.domain == default.name:
            return default
        return self.domains.get(turn.domain) if turn.domain.__class__ is str else None

    def _known_names(self, domain: Domain, turn: LogRow) -> NamedWorld | None:
        key = (id(domain), bytes(turn.entities), bytes(turn.context))
        if key in self._names:
            self._names.move_to_end(key)
            return self._names[key]
        found = self._new_names(domain, turn)
        self._names[key] = found
        if len(self._names) > _MOST_NAMES:
            self._names.popitem(last=False)
        return found

    def _new_names(self, domain: Domain, turn: LogRow) -> NamedWorld | None:
        names = names_in(turn.entities)
        if not names or has_marks(names, bytes(turn.context)):
            return None
        folded = {name.strip().casefold() for name in names}
        # Names with dots could give two variables the same name. Equal names are an error. "solution" is the name of a
        # wrapper.
        if len(folded) != len(names) or {"", "solution"} & folded or any("." in name for name in names):
            return None
        context = bytes(turn.context)
        key = (id(domain), len(names) if domain.interchangeable else tuple(names), context)
        world = self._worlds.get(key)
        if world is None:
            try:
                setting = any_value(context) or {}
                if not isinstance(setting, dict):
                    return None
                if domain.interchangeable:
                    world = numbered_world(domain, len(names), setting)
                else:
                    world = CachedWorld(domain.instance(names, setting))
            except InputError:
                return None
            self._worlds[key] = world
            if len(self._worlds) > _MOST_WORLDS:
                self._worlds.popitem(last=False)
        else:
            self._worlds.move_to_end(key)
        return NamedWorld(world, names)

    def _gold(self, names: NamedWorld, turn: LogRow) -> LoggedLedger | Literal[False] | None:
        """Return a turn's gold ledger, or False if it has none.

        None means that only `check_logged_turn` can read it.
        """
        text = bytes(turn.gold)
        if text == _NULL:
            return False
        gold = LoggedLedger()
        return gold if gold.extend(names.world, names.places, text) else None

    def _judge(
        self, turn: LogRow, names: NamedWorld, values: dict[str, int], gold: LoggedLedger | Literal[False]
    ) -> CheckedTurn | None:
        ledger, world = names.ledger, names.world
        violated = [at for at, own in enumerate(ledger.held) if not own.holds(values)]
        laws = [
            f"{name} is {values[name]}, outside {world.instance.variables[name].sort}"
            for name, possible in world.ranges
            if values[name] not in possible
        ]
        laws += [sentence for holds, sentence in world.laws if not holds(values)]
        correct = None if gold is False else not laws and all(own.holds(values) for own in gold.held)
        id, kept = str(turn.id), _HOLDS if ledger.count else _HOLDS_UNREAD
        if not violated and not laws:
            names.witness = values
            return CheckedTurn(id, kept, None, None, correct, correct, (), "")
        if not self._can_be_kept(names):
            return None
        verdict = VerdictRecord(
            Satisfiability.SAT,
            AnswerStatus.VIOLATING,
            triggers=(*kept.triggers, Trigger.ANSWER_LEDGER_CONFLICT),
            violated=tuple(id for at in violated for id in ledger.ids[at]),
            background=tuple(map(names.rename, laws)),
        )
        also = {ids[0]: ids[1:] for at in violated if len(ids := ledger.ids[at]) > 1}
        near = self._nearest(names, values) if self._wants(turn) else (None, None)
        return CheckedTurn(id, verdict, *near, correct, correct, (), "", also)

    def _judge_partial(self, turn: LogRow, names: NamedWorld, values: dict[str, int]) -> CheckedTurn | None:
        """Return the verdict on an incomplete answer that can be completed, and None for any other."""
        world, ledger = names.world, names.ledger
        is_sound = bytes(turn.gold) == _NULL and all(
            values[name] in possible for name, possible in world.ranges if name in values
        )
        if not is_sound or not self._can_be_completed(names, values):
            return None
        missing = [name for name in world.names if name in world.required and name not in values]
        id, kept = str(turn.id), _HOLDS if ledger.count else _HOLDS_UNREAD
        if not missing:
            return CheckedTurn(id, kept, None, None, None, None, (), "")
        verdict = VerdictRecord(
            Satisfiability.SAT,
            AnswerStatus.INCOMPLETE,
            triggers=(*kept.triggers, Trigger.INCOMPLETE_ASSIGNMENT),
            missing=tuple(map(names.rename, missing)),
        )
        near = self._nearest(names, values) if self._wants(turn) else (None, None)
        return CheckedTurn(id, verdict, *near, None, None, (), "")

    def _can_be_completed(self, names: NamedWorld, values: Values) -> bool:
        """Return whether values can be completed. Mostly these values, put into the last witness, already prove it."""
        world, held = names.world, names.ledger.held
        if names.witness is not None:
            whole = {**names.witness, **values}
            if all(holds(whole) for holds, _ in world.laws) and all(own.holds(whole) for own in held):
                names.witness = whole
                return True
        found = world.engine.decide(soft_of(held), self.budget, fixed=values)
        if isinstance(found, Satisfiable):
            names.witness = found.witness
        return isinstance(found, Satisfiable)

    def _can_be_kept(self, names: NamedWorld) -> bool:
        """Return whether the commitments are satisfiable. The last witness mostly proves it without a solver."""
        held, witness = names.ledger.held, names.witness
        if witness is not None and all(own.holds(witness) for own in held):
            return True
        found, values = names.world.is_satisfiable(held, self.budget)
        if values is not None:
            names.witness = values
        return found is True

    def _wants(self, turn: LogRow) -> bool:
        """Return whether a broken turn is explained.

        A turn that names no conversation counts as the first turn of one.
        """
        conversation = turn.conversation
        if self.explain != "first" or conversation.__class__ not in (str, int):
            return self.explain != "none"
        is_first = conversation not in self._explained
        self._explained.add(conversation)
        return is_first

    def _nearest(self, names: NamedWorld, values: Values) -> tuple[dict[str, Any] | None, bool | None]:
        found = nearest(names.world.engine, soft_of(names.ledger.held), values, self.budget)
        if not isinstance(found, Nearest):
            return None, None
        return names.rename_keys(names.world.instance.render_answer(found.witness)), found.optimal

    def _slowly(self, line: bytes | None, turn: LogRow) -> CheckedTurn:
        try:
            value = value_of(turn) if line is None else parsed(line)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"no JSON object: {error}") from error
        found = check_logged_turn(read_logged_turn(value, self.domains, self.default), self.budget)
        if found.verdict.outcome is TurnOutcome.CONSISTENT or self._wants(turn):
            return found
        return replace(found, verdict=replace(found.verdict, mus=None), nearest=None, nearest_proved=None)
