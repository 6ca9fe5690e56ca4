"""The 38 rules of the airline in Cedar, in CEL and in a policy of holdtrue, each tried on two calls.

    python -m bench.rule_languages             # the tables of bench/rule_languages.md, and the expressions that failed
    python -m bench.rule_languages --write     # puts the tables into that page

Cedar and CEL get all facts, everything that was said and the moment with the call (`bench/policies/handed_in.py`);
holdtrue gets what tools showed, as they showed it. A language says a rule if it allows the call that keeps it and does
not allow the one that breaks it.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path

import yaml

from bench.policies.airline_calls import CASES, Case
from bench.policies.airline_cedar import DIRECT, MOST, NEAREST, WRITTEN_OUT
from bench.policies.airline_rules import HERE, IN_EXAMPLE, NO_CALL, RULES, airline, left_out, with_rule_alone
from bench.policies.deciders import Verdict, by_cedar, by_cel, by_holdtrue
from bench.policies.probes import half_fetched, probe_table
from holdtrue.guard import Decision
from holdtrue.guard.policy import Policy

PAGE = Path(__file__).with_suffix(".md")
BEGIN, END = "<!-- tables: python -m bench.rule_languages --write -->\n", "<!-- end of tables -->\n"
AS_SAID = (Verdict("allow"), Verdict("deny"))
BEYOND_CEL = re.compile(r"\.(reduce)\(")
"""What cel-python has beyond the macros and functions of CEL."""
PARTS = {"said": r"\bsaid\.", "earlier calls": r"\bdone\.", "users' words": r"\bwritten\b", "now": r"\bnow\b"}
"""What a rule may name beside the call and facts."""


@dataclass(frozen=True)
class Row:
    """One rule in three languages: what each makes of it, and what happens before anything is fetched.

    Attributes:
        nearest: What became of the nearest that Cedar could not say, "" where it says the rule as the values are.
        unfetched: The outcome by language of the call that keeps the rule, where facts are needed and none was shown.
        mend: What holdtrue would change of the call that breaks the rule.
    """

    id: str
    needs: tuple[str, ...]
    cedar: str
    nearest: str
    cel: str
    holdtrue: str
    unfetched: Mapping[str, str] = field(default_factory=dict)
    mend: str = ""


def rows() -> list[Row]:
    """Try all rules that a call can break."""
    return [row(id) for id in RULES if id not in NO_CALL]


def row(id: str) -> Row:
    """Try one rule. Raises `ValueError` where a language does not do what the row says."""
    kept, broken = CASES[id]
    policy = with_rule_alone(airline(), IN_EXAMPLE.get(id, id), consent=id == "G1")
    ours = by_holdtrue(policy, kept), by_holdtrue(policy, broken)
    expected = {"G1": ("allow", "confirm"), "R4": ("ask", "block")}.get(id, ("allow", "block"))
    if tuple(own.kind for own in ours) != expected:
        raise ValueError(f"{id}: holdtrue decides {[own.kind for own in ours]}")
    text = cel_texts()[id]
    if (by_cel(text, kept), by_cel(text, broken)) != AS_SAID:
        raise ValueError(f"{id}: CEL says {by_cel(text, kept)} and {by_cel(text, broken)}")
    beyond = BEYOND_CEL.search(text)
    cedar, nearest = _cedar(id, kept, broken)
    return Row(
        id,
        _needs(policy, ours),
        cedar,
        nearest,
        f"no; cel-python's own `{beyond[1]}` does" if beyond else "yes",
        "yes, left out" if id in left_out() else "asks: it stays a claim" if id == "R4" else "yes",
        _unfetched(id, policy, kept) if _kinds(ours) else {},
        _mend(ours[1]),
    )


@cache
def cel_texts() -> Mapping[str, str]:
    """Return the rules in CEL."""
    found: dict[str, str] = yaml.safe_load((HERE / "airline_cel.yaml").read_text(encoding="utf-8"))
    return found


def _cedar(id: str, kept: Case, broken: Case) -> tuple[str, str]:
    """Return how Cedar says a rule, and what became of the nearest that it could not say."""
    condition = DIRECT.get(id) or WRITTEN_OUT[id]
    found = by_cedar(condition, kept), by_cedar(condition, broken)
    if found != AS_SAID:
        raise ValueError(f"{id}: Cedar decides {found}")
    if id in DIRECT:
        return "yes", ""
    tried = by_cedar(NEAREST[id], kept), by_cedar(NEAREST[id], broken)
    if tried == AS_SAID:
        raise ValueError(f"{id}: Cedar can say it as the values are")
    wrong = "it denies the call that keeps the rule" if tried[0].kind == "deny" else "it allows both calls"
    return "written out", tried[0].error or wrong


def _kinds(decisions: Sequence[Decision]) -> tuple[str, ...]:
    """Return the kinds of facts that decisions were made from."""
    return tuple(dict.fromkeys(own["kind"] for decision in decisions for own in decision.given["facts"]))


def _needs(policy: Policy, decisions: Sequence[Decision]) -> tuple[str, ...]:
    """Return what has to be known beside the call: kinds of facts, and other things that the rule's text names."""
    texts = " ".join(f"{rule.when_text} {rule.hold_text}" for rule in policy.rules)
    parts = [name for name, pattern in PARTS.items() if re.search(pattern, texts)]
    consent = ["the user's yes"] if policy.consents else []
    return (*_kinds(decisions), *parts, *consent)


def _unfetched(id: str, policy: Policy, case: Case) -> Mapping[str, str]:
    condition = DIRECT.get(id) or WRITTEN_OUT[id]
    ours = by_holdtrue(policy, case, ())
    calls = " or ".join(dict.fromkeys(own.tool for own in ours.fetch))
    return {
        "Cedar": by_cedar(condition, case, ()).kind,
        "Cedar, partial evaluation": by_cedar(condition, case, (), partial=True).kind,
        "CEL": by_cel(cel_texts()[id], case, ()).kind,
        "holdtrue": f"{ours.kind}: {calls}" if calls else ours.kind,
    }


def _mend(decision: Decision) -> str:
    if decision.mend is None:
        return ""
    return ", ".join(f"{own.path} {own.after!r} for {own.before!r}" for own in decision.mend.changes)


def tables(found: Sequence[Row]) -> str:
    """Return the tables of the page, as Markdown."""
    parts = (_counts(found), _main(found), _rest(), _before(found), probe_table())
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def _counts(found: Sequence[Row]) -> Iterator[str]:
    direct, cel = (
        sum(own == "yes" for own in kind) for kind in zip(*((row.cedar, row.cel) for row in found), strict=True)
    )
    left = sum(own.holdtrue == "yes, left out" for own in found)
    yield f"| of {len(RULES)} rules | as it is | with more | no call can break it |"
    yield "|---|---|---|---|"
    more = f"{len(found) - direct}, written out for up to {MOST} places of each list"
    yield f"| Cedar | {direct} | {more} | {len(NO_CALL)} |"
    yield f"| CEL | {cel} | {len(found) - cel}, by a macro that cel-python adds | {len(NO_CALL)} |"
    yield f"| holdtrue | {len(found) - left}, in the example | {left}, which the example leaves out | {len(NO_CALL)} |"


def _main(found: Sequence[Row]) -> Iterator[str]:
    yield "| rule | about | kind | needs beside the call | Cedar | CEL | holdtrue | nothing fetched | mend |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for own in found:
        cedar = f"{own.cedar} ({own.nearest})" if own.nearest else own.cedar
        kind, about = RULES[own.id]
        ours = own.unfetched.get("holdtrue", "")
        yield _line(own.id, about, kind, ", ".join(own.needs), cedar, own.cel, own.holdtrue, ours, own.mend)


def _rest() -> Iterator[str]:
    yield "| rule | about | kind | why no call can break it |"
    yield "|---|---|---|---|"
    for id, reason in NO_CALL.items():
        kind, about = RULES[id]
        yield _line(id, about, kind, reason)


def _before(found: Sequence[Row]) -> Iterator[str]:
    """Return what becomes of calls before all facts are there."""
    need = [own.unfetched for own in found if own.unfetched]
    half = half_fetched(cel_texts()["R2"])
    yield _line("", f"{len(need)} calls that keep their rule, nothing fetched", "R2: 130 dollars, profile fetched only")
    yield "|---|---|---|"
    for language in need[0]:
        kinds = Counter(own[language].partition(":")[0] for own in need)
        named = sum(":" in own[language] for own in need)
        text = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
        yield _line(language, f"{text}, {named} with the call to fetch" if named else text, half[language])


def _line(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.rule_languages")
    parser.add_argument("--write", action="store_true", help="put the tables into bench/rule_languages.md")
    found = rows()
    if parser.parse_args().write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{tables(found)}\n{END}{rest.partition(END)[2]}", encoding="utf-8")
        return
    print(tables(found))
    print(f"cedarpy {version('cedarpy')}, cel-python {version('cel-python')}; the nearest that Cedar could not say:")
    for own in found:
        if own.nearest:
            size = f"written out in {len(WRITTEN_OUT[own.id]):,} characters"
            print(f"{own.id}: {NEAREST[own.id]}\n    {own.nearest}; {size}")


if __name__ == "__main__":
    main()
