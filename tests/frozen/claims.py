"""Verdicts on claims with their cores and prompts, and formulas that are read and refused."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from random import Random
from typing import Any

from tests.frozen.playing import AMPLE, ROOT, Records, blocks, door, holdtrue, plain


def tell_claims() -> Records:
    """Yield the verdicts, cores and prompts of claims, and the formulas that are read and refused."""
    yield from _formulas()
    yield from _texts_of_claims()
    yield from _sessions()
    yield from _verified()
    for page in ("README.md", "docs/claims.md"):
        for place, code in enumerate(blocks(page, "python")):
            if "weekday_of" in code:  # its questions take seconds
                continue
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "example", "exec"), {"__name__": "example"})
            yield f"docs/{page}/{place}", printed.getvalue().splitlines()
    pairs = ROOT / "tests/lab/kinds/claims/gate/pairs.json"
    for model in ("sim/claims", "sim/claims:confuse=0.3@1"):
        yield f"gate/{model}", holdtrue("study", "gate", "--pairs", pairs, "--every", 6, "--model", model, "--json")
        judged = holdtrue("study", "judges", "--count", 6, "--model", model, "--json", "--out", f"{model[4:]}.json")
        yield f"judges/{model}", judged
    words = ("--only", "policy", "--model", model, "--json", "--timeout-s", AMPLE)
    yield f"dialogues/{model}", holdtrue("study", "dialogues", *words)


SIGNS = "∀∃¬∧∨⊕→↔=≠<≤>≥()()[],.:∈+-*⊤⊥\"'#xyPa 1"
PIECES = (*SIGNS, "Q(", "12", "and", "forall x ", "->", "<->", "!=", "kg", "x in dog")


def _formulas() -> Records:
    """Read formulas of texts, and random strings of signs: what was read, written again, and what was refused."""
    read, write = (door(f"holdtrue_claims.fol.notation:{name}") for name in ("read_fol", "write_fol"))
    random = Random("frozen formulas")
    drawn = ["".join(random.choices(PIECES, k=random.randint(1, 14))) for _ in range(600)]
    whole = (Path(__file__).parent / "inputs/formulas.txt").read_text(encoding="utf-8").splitlines()
    for place, text in enumerate([*whole, *drawn]):
        found = read(text)
        alerts = [plain(own) for own in found.alerts]
        yield f"formulas/{place}", [text, None if found.sentence is None else write(found.sentence), alerts]


SLOW = """
    lures_1/t13 lures_1/t48 lures_1/t14 lures_1/t15 lures_1/t16 lures_1/t57 lures_1/t61
    lures_2/b33-chain lures_2/b34-chain lures_2/b35-chain lures_2/b64-pigeon
    lures_3/c20 lures_3/c21 lures_3/c44 lures_3/c55 lures_3/c60
    everyday_2/b05 everyday_2/b08 everyday_2/b09 everyday_2/b15 everyday_2/b17 everyday_2/b20
""".split()
"""Texts whose questions take a solver seconds: their verdicts could hang on time."""


def _texts_of_claims() -> Records:
    from holdtrue import Budget
    from tests.claims.kind import test_texts as texts

    context = door("holdtrue_claims.kind.context:Context")
    verify_claim = door("holdtrue_claims.kind.entailment:verify_claim")
    for name in ("lures_1", "lures_2", "lures_3", "everyday_2"):
        for text in json.loads((texts.TEXTS / f"{name}.json").read_text(encoding="utf-8")):
            if f"{name}/{text['id']}" in SLOW or text["id"].endswith(("1", "3", "6", "8")):
                continue
            words = texts.vocabulary(text)
            told = {f"P{at}": texts.said(one, words) for at, one in enumerate(text["formulas"], 1) if one is not None}
            made = context(told, words, Budget(timeout_s=float(AMPLE)))
            for place, claim in enumerate(text["claims"]):
                found = verify_claim(made, texts.said(claim["formula"], words))
                yield f"texts/{name}/{text['id']}/{place}", [str(found.verdict), *map(str, found.premises)]


def _sessions() -> Records:
    """Ask sessions about generated items, with models that make mistakes, and tell records and prompts."""
    from holdtrue import Budget
    from holdtrue_claims import ClaimSession, find_claim_method

    items = door("holdtrue_lab.suites.verge.perturb.generate:generate_pairs")(seed=3, count=4)
    simulated = door("holdtrue_lab.kinds.claims.simulation.model:SimulatedReasoner")
    ample = Budget(timeout_s=float(AMPLE))
    for faults in ("", ":wrong=0.8,mend=0.6@2", ":misread=0.4,drop=0.2@1", ":weaken=0.6,mistype=0.4,confuse=0.3@3"):
        for method in ("verge", "verge_proved"):
            for item in items[::2]:
                if "mis" in faults and "sequence" in item.id:  # wrong formulas of an order take a solver seconds
                    continue
                asked = Listening(simulated(f"sim/claims{faults}", items))
                chosen = find_claim_method(method)
                with ClaimSession(item.sentences, model=asked, method=chosen, budget=ample) as session:
                    turn = session.ask(item.question, item.options, statement=item.statement)
                    told = session.explain(turn)
                where = f"sessions/{faults}/{method}/{item.id}"
                yield where, plain(turn)
                yield f"{where}/told", told
                yield from ((f"{where}/prompts/{place}", own) for place, own in enumerate(asked.prompts))


class Listening:
    """A model that passes every request on to another model, and keeps the requests."""

    def __init__(self, model: Any) -> None:
        self.name, self._model, self.prompts = model.name, model, list[Any]()

    async def complete(self, request: Any) -> Any:
        self.prompts.append([request.purpose, [plain(own) for own in request.messages], request.schema])
        return await self._model.complete(request)

    async def aclose(self) -> None:
        await self._model.aclose()


def _verified() -> Records:
    from tests.cli import claim_script

    Path("context.txt").write_text(claim_script.CONTEXT, encoding="utf-8")
    several = "Mia practises daily. Tom is a musician. Tom does not practise daily"
    for place, answer in enumerate([*claim_script.FORMULAS, several]):
        Path("answer.txt").write_text(answer + ".", encoding="utf-8")
        model = claim_script.write_script(Path("model.json"), answer)
        for form in ("", "--json", "--routing soft", "--accept judged --formulas 1"):
            more = (*form.split(), "--model", model, "--timeout-s", AMPLE)
            files = ("--context", "context.txt", "--answer", "answer.txt")
            yield f"verify/{place}/{form}", holdtrue("verify", *files, *more)
        for form in ("", "--json"):
            yield f"formalize/{place}/{form}", holdtrue("formalize", "context.txt", "--model", model, *form.split())
