"""Decisions of the guard: on random calls, on a shop's, in conversations; and analyses of policies, and audits."""

from __future__ import annotations

import asyncio
import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from tests.frozen.playing import AMPLE, ROOT, Records, blocks, holdtrue, parquet_rows, plain


def tell_decisions() -> Records:
    """Tell decisions on random calls under random policies, on a shop's, on conversations; and analyses of policies."""
    yield from _random_decisions()
    yield from _shop_decisions()
    yield from _talks()
    yield from _analyses()
    yield from _audits()


def _random_decisions() -> Records:
    from tests.guard import generated as g
    from tests.guard import properties

    for seed in range(160):
        random = Random(f"frozen {seed}")
        policy = g.policy(random)
        for place in range(9):
            yield f"random/{seed}/{place}", plain(properties.decide(g.case(random, policy)).to_json())


def _shop_decisions() -> Records:
    from tests.guard import shop

    known = {
        "none": None,
        "seen": shop.known(),
        "late": shop.known(order={"user": "bob", "placed": "2025-01-01T00:00:00Z"}),
    }
    said: tuple[Any, ...] = (None, {"reason": "late", "agreed": True}, {"ill": True})
    calls = [("refund", {**shop.REFUND, "amount": own}) for own in (10.0, 25.5, 400, "ten")]
    calls += [("set_plan", {**shop.PLAN, "seats": own, "rush": own > 5}) for own in (1, 6, 21)]
    calls += [("close_account", {"user": "ann"}), ("refund", {}), ("get_account", {"user": "ann"}), ("unknown", {})]
    for place, ((tool, call), (name, facts), own, unsaid) in enumerate(
        product(calls, known.items(), said, (None, "unknown"))
    ):
        yield (
            f"shop/{place}/{tool}/{name}",
            plain(shop.check(tool, call, facts, said=own, unsaid=unsaid, listen=own is not None).to_json()),
        )


def _talks() -> Records:
    from bench.words.cases import policy_of, read_folder
    from bench.words.playing import play
    from bench.words.told_reader import ToldReader
    from holdtrue.guard import Guard

    async def rows(policy: Any, talk: Any, told: Any, consents: frozenset[str]) -> Any:
        guard = Guard(policy, reader=told)
        try:
            return [plain(own) for own in await play(guard, talk, told, consents)]
        finally:
            await guard.aclose()

    for folder in sorted((ROOT / "bench/words/sets").iterdir()):
        tools, about, talks = read_folder(folder)
        policy = policy_of(tools, about["now"])
        consents = frozenset(own["name"] for own in tools if own.get("consent"))
        for talk in talks:
            for reader in (ToldReader(frozenset(consents)), None):
                name = f"talks/{folder.name}/{talk['id']}/{'code' if reader is None else 'told'}"
                yield name, asyncio.run(rows(policy, talk, reader, consents))


BLIND = ROOT / "tests/guard/analysis/blind"


def _policies() -> list[Path]:
    """Write down the policies of tests and docs, and return their paths with those of all examples."""
    from tests.guard import shop

    Path("shop.yaml").write_text(shop.TEXT, encoding="utf-8")
    for place, text in enumerate([*blocks("docs/policies.md", "yaml"), *blocks("docs/guard.md", "yaml")]):
        Path(f"docs_{place}.yaml").write_text(text, encoding="utf-8")
    found = [*(ROOT / "bench/policies").glob("airline*.yaml"), *(BLIND / "faults").glob("*.yaml"), BLIND / "sound.yaml"]
    return [
        Path("shop.yaml"),
        *sorted(Path().glob("docs_*.yaml")),
        ROOT / "examples/airline/policy.yaml",
        *sorted(found),
    ]


def _analyses() -> Records:
    for place, path in enumerate(_policies()):
        for form in ("", "--json")[place % 3 > 0 :]:
            checked = holdtrue("policy", "check", path, "--timeout-s", AMPLE, *form.split())
            yield f"check/{path.name}/{path.parent.name}/{form}", checked
    for place, one in enumerate(sorted((BLIND / "diff").glob("*a.yaml"))):
        for form in ("", "--json")[place % 8 > 0 :]:
            pair = (one, one.with_name(one.name.replace("a.", "b.")))
            yield f"diff/{one.name}/{form}", holdtrue("policy", "diff", *pair, "--timeout-s", AMPLE, *form.split())
    airline = ROOT / "examples/airline"
    for policy, cases in (
        (airline / "policy.yaml", airline / "cases.yaml"),
        (Path("docs_0.yaml"), Path("docs_2.yaml")),
        (BLIND / "sound.yaml", BLIND / "sound_cases.yaml"),
    ):
        for form in ("", "--json"):
            tested = holdtrue("policy", "test", policy, cases, "--timeout-s", AMPLE, *form.split())
            yield f"test/{cases.parent.name}/{cases.name}/{form}", tested
    import yaml

    for place, case in enumerate(yaml.safe_load((airline / "cases.yaml").read_text(encoding="utf-8"))[::3]):
        call = json.dumps({key: own for key, own in case.items() if key not in TOLD}, default=str)
        for form in ("", "--json")[place % 8 > 0 :]:
            words = ("policy", "explain", airline / "policy.yaml", "-", "--timeout-s", AMPLE, *form.split())
            yield f"explain/{place}/{form}", holdtrue(*words, input=call)


TOLD = {"name", "expect", "rules", "mend"}
"""The parts of a case other than its call."""


def _audits() -> Records:
    from tests.lab.suites.guard import library

    library.policy(library.write(Path("library")))
    Path("turns.jsonl").write_text(blocks("docs/audit.md", "json")[0], encoding="utf-8")
    Path("chats.jsonl").write_text(blocks("docs/audit.md", "json")[1], encoding="utf-8")
    for log, *more in (
        ("library/conversations.jsonl", "--policy", "library/policy.yaml"),
        ("turns.jsonl", "--explain", "all"),
        ("chats.jsonl", "--explain", "first"),
    ):
        out = f"audit_{Path(log).stem}"
        words = ("audit", log, out, "--engine", "process", "--timeout-s", AMPLE, *more)
        yield f"audit/{log}", holdtrue(*words)
        yield f"audit/{log}/json", holdtrue(*words, "--json")
        for table in sorted(Path(out).rglob("*.parquet")):
            yield f"audit/{log}/{table}", parquet_rows(table, whole=True)
    for verb in ("check", "explain"):
        turn = blocks(f"docs/{verb}.md", "json")[0]
        for form in ("", "--json"):
            yield f"{verb}/{form}", holdtrue(verb, "-", "--timeout-s", AMPLE, *form.split(), input=turn)
    chat = ("--chat", ROOT / "examples/shift_rota_chat.jsonl", "--domain", f"{ROOT}/examples/shift_rota.py:ROTA")
    yield "check/chat", holdtrue("check", *chat, "--extractor", "templates", "--timeout-s", AMPLE)
