"""Runs of every suite are killed at any moment and resumed, with the same records and no call paid for twice.

Each run is the command itself, against a server that counts. A call is paid for when its reply is in the call log, and
must not be repeated. A call that was under way at the kill is made once more, whether or not the server answered it.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from holdtrue.models.chat import ChatModel
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from holdtrue_lab.kinds.claims.simulation.model import SimulatedReasoner
from holdtrue_lab.kinds.labels.simulation import SimulatedAnswerer
from holdtrue_lab.kinds.search.simulation import SimulatedSearcher
from holdtrue_lab.kit.settings import CALLS_FILE, JOURNAL_FILE
from holdtrue_lab.suites.belief.files import write_dialogues
from holdtrue_lab.suites.belief.generate import generate_dialogues
from holdtrue_lab.suites.cegvr.files import load_search_problems
from holdtrue_lab.suites.cross_query.files import write_benchmark
from holdtrue_lab.suites.cross_query.generate import generate as generate_cases
from holdtrue_lab.suites.verge.files import ITEMS as ITEMS_FILE
from holdtrue_lab.suites.verge.files import write_items
from tests.lab.kinds.claims.items import ITEMS
from tests.lab.kinds.search.problems import write_original
from tests.lab.kit.runs import contents
from tests.lab.kit.served import Content, Served, logged, serve
from tests.patience import HANG_S

pytestmark = pytest.mark.slow

KILLS = 12
"""The number of killed runs of each suite."""
RUNS = 4
CONNECTIONS = 3
DELAY_S = 0.03


@dataclass(frozen=True)
class Suite:
    """The options of a suite, after its input was written to a folder, and its model."""

    options: list[str]
    model: ChatModel


def drift(folder: Path) -> Suite:
    options = ["--generate", "3", "--turns", "3", "--seed", "9", "--method", "direct,drift_repair,mus_repair"]
    return Suite(options, open_simulated("forget:0.4+malform:0.1@3"))


def cross_query(folder: Path) -> Suite:
    cases = generate_cases(9, {"relational": 2, "policy": 2})
    write_benchmark(cases, folder, {})
    options = ["--cases", f"{folder}", "--method", "direct,self_consistency,check_repair,maxsat_repair"]
    return Suite(options, SimulatedAnswerer("sim/labels:wrong=0.4,confidence=0.9/0.6@3", cases))


def belief(folder: Path) -> Suite:
    dialogues = generate_dialogues(9, 3, turns=6)
    write_dialogues(dialogues, folder)
    options = ["--dialogues", f"{folder}", "--method", "none,cot_greedy,min_change"]
    return Suite(options, SimulatedAnswerer("sim/labels:wrong=0.4,confidence=0.9/0.6@3", dialogues))


def cegvr(folder: Path) -> Suite:
    write_original(folder)
    searcher = SimulatedSearcher("sim/search:p=0.2,core=0.3,claim=0.3,malformed=0.1@1", load_search_problems(folder))
    limits = ["--k", "2", "--rounds", "2", "--seeds", "2", "--solver-timeout-s", "60"]
    return Suite(["--problems", f"{folder}", *limits], searcher)


def verge(folder: Path) -> Suite:
    write_items(ITEMS, folder / ITEMS_FILE)
    options = ["--items", f"{folder}", "--method", "direct,self_refine,verge", "--solver-timeout-s", "60"]
    return Suite(options, SimulatedReasoner("sim/claims:wrong=0.5,misread=0.2,drop=0.2@3", ITEMS))


SUITES: dict[str, Callable[[Path], Suite]] = {
    suite.__name__: suite for suite in (drift, cross_query, belief, cegvr, verge)
}


@dataclass
class Playing:
    """A suite, its server, and the result of an uninterrupted run.

    `answered` are the calls that the server had answered at the last kill.
    """

    name: str
    suite: Suite
    served: Served
    folder: Path
    answered: Counter[Content] = field(default_factory=Counter)

    @property
    def whole(self) -> Path:
        return self.folder / "whole"

    def start(self, out: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "holdtrue", "run", self.name, *self.suite.options, "--quiet"]
        command += ["--model", "openai/fake", "--out", f"{out}", "--max-connections", f"{CONNECTIONS}"]
        environment = {**os.environ, "OPENAI_BASE_URL": self.served.url, "OPENAI_API_KEY": "none"}
        return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, cwd=self.folder)

    def finish(self, out: Path) -> Counter[Content]:
        """Play to the end, and return the requests."""
        self.served.start_anew()
        with self.start(out) as process:
            assert process.wait(HANG_S) == 0
        self.served.settle()
        return self.served.asked

    def kill(self, out: Path, after: int, delay_s: float) -> Counter[Content]:
        """Play until a moment after so many requests, and return the requests until then."""
        self.served.start_anew()
        with self.start(out) as process:
            ended = threading.Event()

            def wait() -> None:
                process.wait()
                ended.set()

            waiter = threading.Thread(target=wait)
            waiter.start()
            self.served.wait_for(after, ended)
            ended.wait(delay_s)
            self.answered = self.served.answered.copy()
            process.send_signal(signal.SIGKILL)
            waiter.join()
            assert process.returncode in (-signal.SIGKILL, 0), "it was killed, or had just ended"
        self.served.settle()
        return self.served.asked


@pytest.fixture(scope="module", params=SUITES)
def playing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playing]:
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "input").mkdir()
    suite = SUITES[request.param](folder / "input")
    with serve(suite.model, DELAY_S) as served:
        playing = Playing(request.param, suite, served, folder)
        asked = playing.finish(playing.whole)
        assert asked == logged(playing.whole / CALLS_FILE), "every call is in the log"
        yield playing


@pytest.mark.parametrize("seed", range(RUNS))
def test_a_run_that_is_killed_again_and_again_comes_to_the_same(playing: Playing, seed: int) -> None:
    chance = random.Random(f"{playing.name} {seed}")
    out = playing.folder / f"killed {seed}"
    journal, calls = out / JOURNAL_FILE, out / CALLS_FILE
    needed = logged(playing.whole / CALLS_FILE)
    paid: Counter[Content] = Counter()
    written = b""
    repeated = unseen = 0
    for _ in range(KILLS // RUNS):
        # Some kills come while the program starts, or repeats earlier turns from the call log.
        after = chance.randint(0, (needed - paid).total())
        asked = playing.kill(out, after, chance.uniform(0, DELAY_S if after else 2.0))
        assert asked <= needed - paid, "nothing that was paid for is asked again"
        before, paid = paid, logged(calls)
        under_way = asked - (paid - before)
        assert paid - before <= asked and under_way.total() <= CONNECTIONS
        repeated += under_way.total()
        unseen += (under_way & playing.answered).total()
        now = journal.read_bytes() if journal.exists() else b""
        assert now.startswith(written), "what was written down stays"
        written = now[: now.rfind(b"\n") + 1]
    assert playing.finish(out) == needed - paid, "what is asked is what was not paid for, and all of it"
    assert logged(calls) == needed
    assert journal.read_bytes().startswith(written)
    assert contents(out) == contents(playing.whole)
    print(
        f"\n{playing.name}: {KILLS // RUNS} kills, {needed.total()} calls needed and all paid for once, none again; "
        f"{repeated} were under way at a kill and made once more, {unseen} of them had been answered"
    )
