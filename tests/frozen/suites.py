"""Suites played with simulated models, and all reports on these runs."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from tests.frozen.playing import AMPLE, ROOT, Records, digest, holdtrue, lines, parquet_rows, plain, scrub

GENERATED = {
    "drift": "--count 6 --turns 3",
    "drift_varied": "drift --count 12 --turns 3 --phrasing varied --seed 5",
    "cross_query": "--count 13",
    "belief": "--count 4 --turns 4",
    "cegvr": "--count 6 --variants",
    "cegvr_latin": "cegvr --count 2 --kind latin5",
    "cegvr_schedule": "cegvr --count 2 --kind schedule",
    "cegvr_upstream": "cegvr --count 4 --style upstream",
    "verge": "--count 8",
}
"""Folders of problems with the options of `generate`. The suite comes first if the folder has another name."""
_DRIFT = "direct,cot,ledger,self_consistency,self_refine,mus_repair,drift_repair,project,drift_repair_project"
_LABELS = "direct,few_shot,cot,self_consistency,check_repair,maxsat_repair,conflict_repair,always_unknown,one_model"
_SEARCH = (
    "one_shot,multi_generic_feedback,multi_unsat_core_feedback,cd_vgs_core_rank,cd_vgs,cd_vgs_core_rank+witness,"
    "solver_only"
)
_FEW = "--k 2 --rounds 2 --seeds 1"
RUNS = {
    "drift_forget": "drift --problems drift --model sim/forget:0.4+malform:0.1@3 "
    f"--method {_DRIFT},random_legal,solver_only",
    "drift_mixed": "drift --problems drift --model sim/slip:0.4+drop:0.3+flip:0.2+greedy:1@1 --protocol upstream",
    "drift_asked": "drift --problems drift_varied --model sim/cut:0.3+unclosed:0.3+drop:0.3+think:0.5@7 "
    "--ask-back truthful --method direct,cot,drift_repair_project --limit 6",
    "drift_templates": "drift --problems drift_varied --model sim/skill:0.7@2 --extractor templates "
    "--method direct,mus_repair",
    "drift_gold": "drift --problems drift --model sim/perfect --extractor gold --method project",
    "cross_query_bundle": "cross_query --cases cross_query --limit 6 "
    "--model sim/labels:wrong=0.4,unknown=0.1,contradict=0.1,confidence=0.9/0.6@3 "
    f"--method {_LABELS},solver_only,greedy,min_change",
    "cross_query_one": "cross_query --cases cross_query --limit 2 --model sim/labels:unclosed=0.4,tidy=0.5,wrong=0.3@1 "
    "--ask one --formal llm --method direct,maxsat_repair,min_change",
    "belief": "belief --dialogues belief --model sim/labels:belief@5 --method none,greedy,min_change,cot_greedy",
    "cegvr": f"cegvr --problems cegvr --model sim/search:p=0.2,core=0.3,claim=0.3,malformed=0.1@1 {_FEW} --limit 10 "
    f"--variants --method {_SEARCH}",
    "cegvr_latin": f"cegvr --problems cegvr_latin --model sim/search:p=0.4@2 {_FEW} --method {_SEARCH}",
    "cegvr_other": f"cegvr --problems cegvr --model sim/search:p=0.5@4 {_FEW} --limit 4 --method {_SEARCH}",
    "verge": "verge --items verge --limit 2 --model sim/claims:wrong=0.5,misread=0.2,drop=0.2@3",
    "verge_mended": "verge --items verge --limit 4 --accept judged --method verge,verge_proved,dsb "
    "--model sim/claims:wrong=0.9,mend=0.9,mend_core=0.3,mistype=0.3,confuse=0.2@1",
    "verge_gold": "verge --items verge --model sim/claims:wrong=1@1 --formal gold --method direct,solver_only",
    "guard": "guard --data library --policy library/policy.yaml",
    "guard_observed": "guard --data library --policy library/policy.yaml --mode observe --method guard",
    "guard_dialogues": "guard --data dialogues --method guard_gold,guard_rules,guard,allow_all,ask_always",
    "reading": f"reading --data {ROOT}/tests/language/data/turn_sentences.jsonl --model sim/perfect "
    "--method rules,llm,nothing,gold",
}
"""Runs of suites by the names of their folders: the words of `run`."""
TIMED = {"cegvr", "verge", "guard"}


def make_problems() -> Records:
    """Make the problems of all suites in this folder; files of tests make those that nothing generates."""
    from tests.lab.suites.guard import library, test_dialogues

    for folder, options in GENERATED.items():
        words = options.split()
        suite = folder if words[0].startswith("--") else words.pop(0)
        yield f"generate/{folder}", holdtrue("generate", suite, "--out", folder, *words)
        for path in sorted(own for own in Path(folder).rglob("*") if own.is_file()):
            found = lines(path) if path.suffix == ".jsonl" else [json.loads(path.read_text(encoding="utf-8"))]
            yield from ((f"problems/{path}/{place}", plain(own)) for place, own in enumerate(found))
    for folder in ("cross_query", "cegvr"):
        yield f"validate/{folder}", holdtrue("validate", folder, "--timeout-s", AMPLE)
    library.policy(library.write(Path("library")))
    Path("dialogues").mkdir()
    test_dialogues.write(Path("dialogues"), [test_dialogues.DIALOGUE], test_dialogues.MUTANTS)


def play_suites() -> Records:
    """Play all runs in this folder, and tell their problems, settings, journals and calls."""
    yield from make_problems()
    for name in RUNS:
        yield from play_run(name)


def play_run(name: str) -> Records:
    """Play a run on the problems of this folder, and tell its settings, journal and calls."""
    words = RUNS[name].split()
    more = ("--solver-timeout-s", AMPLE) if words[0] in TIMED else ()
    yield f"run/{name}", holdtrue("run", *words, "--max-connections", 1, "--out", f"run_{name}", *more)
    yield f"settings/{name}", _settled(Path(f"run_{name}/settings.json"))
    for place, own in enumerate(_settled(Path(f"run_{name}/journal.jsonl"))):
        where = "/".join(str(own.get(key)) for key in ("problem", "method", "turn"))
        yield f"journal/{name}/{place}/{where}", own
    yield from ((f"calls/{name}/{n}", own) for n, own in enumerate(_settled(Path(f"run_{name}/calls.jsonl"))))


@cache
def played() -> tuple[dict[str, Any], Path]:
    """Return the records of all runs, and the folder that has them; they are played once for all parts."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    with contextlib.chdir(folder):
        return dict(play_suites()), folder


def tell_suites() -> Records:
    """Tell the problems, settings, journals and calls of all runs."""
    yield from played()[0].items()


def _settled(path: Path) -> Any:
    """Return the values of a file of a run, in which times are replaced, so that reports on it are the same."""
    if not path.exists():
        return []
    if path.suffix == ".json":
        found = plain(json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(found), encoding="utf-8")
        return found
    kept = [plain(own) for own in lines(path)]
    path.write_text("".join(json.dumps(own, separators=(",", ":")) + "\n" for own in kept), encoding="utf-8")
    return kept


COMPARED = (
    ("drift_forget", "drift_mixed"),
    ("cross_query_bundle", "cross_query_one"),
    ("cegvr", "cegvr_other"),
    ("verge", "verge_mended"),
    ("guard", "guard_observed"),
)


def tell_reports() -> Records:
    """Tell the reports on all runs in all their forms."""
    _, folder = played()
    os.chdir(folder)
    asked = [(name, [f"run_{name}"]) for name in RUNS]
    asked.append(("all_drift", [f"run_{name}" for name in RUNS if name.startswith("drift")]))
    for name, folders in asked:
        for form in ("", "--all", "--turns", "--json"):
            yield f"report/{name}/{form}", holdtrue("report", *folders, *form.split())
        tables, page, rows = Path(f"tables_{name}"), Path(f"{name}.html"), Path(f"{name}.parquet")
        yield f"latex/{name}", holdtrue("report", *folders, "--latex", tables)
        yield from ((f"latex/{own}", own.read_text().splitlines()) for own in sorted(tables.glob("*.tex")))
        yield f"html/{name}", holdtrue("report", *folders, "--html", page)
        yield f"html/{name}/text", digest(_visible(page.read_text(encoding="utf-8")))
        yield f"parquet/{name}", holdtrue("report", *folders, "--parquet", rows)
        yield f"parquet/{name}/rows", parquet_rows(rows)
    for one, other in COMPARED:
        for form in ("", "--all", "--json"):
            compared = holdtrue("report", f"run_{one}", f"run_{other}", "--compare", *form.split())
            yield f"compare/{one}/{other}/{form}", compared
    for name in ("drift_forget", "cross_query_bundle", "verge"):
        scored = holdtrue("report", f"run_{name}", "--predictions", f"{name}.jsonl", "--method", "direct")
        yield f"predictions/{name}", [scored, lines(Path(f"{name}.jsonl")) if scored["exit"] == 0 else []]
    yield "export/runs", holdtrue("export", "runs", "run_drift_forget", "--out", "data_set", "--name", "frozen")
    yield from ((f"export/runs/{own}", digest(own.read_bytes().hex())) for own in _texts(Path("data_set")))
    yield "export/unpack", holdtrue("export", "unpack", "data_set", "--out", "unpacked")
    yield from ((f"export/unpack/{own}", digest(own.read_text())) for own in _texts(Path("unpacked")))


def _texts(folder: Path) -> list[Path]:
    return sorted(own for own in folder.rglob("*") if own.suffix in (".jsonl", ".json", ".md", ".yaml"))


def _visible(page: str) -> str:
    page = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", " ", page)
    return " ".join(scrub(re.sub(r"<[^>]*>", " ", page)).split())
