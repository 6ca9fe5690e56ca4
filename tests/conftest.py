"""Settings for all tests: the number of drawn examples, and an environment that hides the developer's machine.

A gate must not fail by chance. So the default profile `fixed` draws examples that depend on the test alone. No profile
has a deadline or a health check, which a busy machine could break. The profile `fresh` (`pytest
--hypothesis-profile=fresh`) draws new examples. `fixed` takes a fifth of the examples that a test names, since they
never change, and `fresh` five times as many. A failure is printed with a `@reproduce_failure` line, and should be kept
as an `@example` or a test.

No test sees the developer's servers, keys and downloaded models, or the width and colours of the terminal.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

# If the shell forbids bytecode files, every process that tests start would compile every module again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

FIXED, FRESH = "fixed", "fresh"
SHARE = {FIXED: 0.2, FRESH: 5}
"""The number of examples of a run, as a multiple of the number that the test names."""

_ANYWHERE = settings(deadline=None, database=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(FIXED, _ANYWHERE, derandomize=True)
settings.register_profile(FRESH, _ANYWHERE, derandomize=False)
settings.load_profile(FIXED)


def pytest_configure() -> None:
    """Remove variables about servers and terminals from the environment, which child processes inherit.

    A shell lets background processes ignore interrupts. They are restored, since some tests send them.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in list(os.environ):
        if name.startswith("OPENAI_") or name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
            del os.environ[name]


@pytest.fixture(scope="session")
def empty_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def own_cache(request: pytest.FixtureRequest, empty_cache: Path) -> Iterator[None]:
    """Show a test no model that was downloaded, unless it is marked as one that needs it."""
    with pytest.MonkeyPatch.context() as patch:
        if request.node.get_closest_marker("model") is None:
            patch.setenv("HOLDTRUE_CACHE", str(empty_cache))
        yield


def pytest_collection_finish() -> None:
    """Let the collector of rubbish pass over the thousands of tests that were collected, each time that it looks."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ask every property for the profile's share of the examples that it names.

    A number that a test names goes before a profile's. Hypothesis has no public way to change it afterwards.
    """
    share = SHARE.get(settings.get_current_profile_name(), 1)
    tests = {item.function for item in items if isinstance(item, pytest.Function)}
    for test in tests:
        if is_hypothesis_test(test):
            asked: settings = test._hypothesis_internal_use_settings
            scaled = settings(asked, max_examples=max(1, round(share * asked.max_examples)))
            test._hypothesis_internal_use_settings = scaled
