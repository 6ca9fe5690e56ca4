"""People find a broken turn, override it, answer a question, and see changes live, with the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("playwright", reason="the group dev is not installed")

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, sync_playwright

from holdtrue.guard.store.event import NewEvent
from tests.chromium import FOUND, needs_chromium
from tests.serve.page_server import KEYS, Served, alone, apart, serving
from tests.serve.page_store import open_desk, play_break, play_voucher
from tests.serve.test_page_api import closed_clients

pytestmark = [needs_chromium, pytest.mark.slow]
__all__ = ["closed_clients"]

OPTIONS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
REFUSED = "status of 409"
"""Chromium tells each refused change in its console, too."""
WIDTHS = (360, 768, 1280)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        own = driver.chromium.launch(executable_path=FOUND, args=OPTIONS.split())
        yield own
        own.close()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("desk"), alone()) as found:
        yield found


@contextmanager
def window(browser: Browser, width: int = 1280, scheme: Any = "light", height: int = 900) -> Iterator[Page]:
    """Yield a window. At its end, no error was in its console, no rule of CSP was broken, nothing is too wide."""
    faults: list[str] = []
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce")
    page.on(
        "console",
        lambda told: (
            faults.append(told.text) if told.type in ("error", "warning") and REFUSED not in told.text else None
        ),
    )
    page.on("pageerror", lambda error: faults.append(f"{error}"))
    page.add_init_script("addEventListener('securitypolicyviolation', (own) => console.error(own.violatedDirective))")
    page.set_default_timeout(15_000)
    yield page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()
    assert faults == []


def look(page: Page) -> None:
    """Assert that axe finds nothing serious."""
    found = Axe().run(page).response["violations"]
    assert [own for own in found if own["impact"] in ("serious", "critical")] == []


def reach(page: Page, name: str, key: str = "Tab") -> None:
    """Go to the element with a name by the keyboard, and assert that its focus is seen."""
    for _ in range(120):
        page.keyboard.press(key)
        shown = page.evaluate(
            "(() => { const own = document.activeElement, style = getComputedStyle(own);"
            "return [own.getAttribute('aria-label') || own.innerText || own.id || '', style.outlineStyle] })()"
        )
        if shown[0].startswith(name):
            assert shown[1] != "none"
            return
    pytest.fail(f"{name} is not reached")


def written(desk: Served, id: str) -> None:
    """Write a conversation with a blocked call and a question, as another process does."""

    async def play() -> None:
        await play_voucher(other.conversation(id, "acme"))
        await play_break(other.conversation(id, "acme"))

    other = open_desk(desk.folder, desk.folder / "policy.yaml")
    apart(play())
    other.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_broken_turn_is_found_and_overridden_by_the_keyboard(
    browser: Browser, desk: Served, width: int, scheme: str
) -> None:
    id = f"turn-{width}-{scheme}"
    with window(browser, width, scheme) as page, window(browser) as second:
        page.goto(desk.address)
        page.wait_for_selector("#list button")
        written(desk, id)
        page.wait_for_selector(f"#list button:has-text('{id}')")
        look(page)
        reach(page, id)
        page.keyboard.press("Enter")
        page.wait_for_selector(".event.block mark")
        assert "260" in page.inner_text(".event.block .values")
        assert "Blocked" in page.inner_text(".event.block h3")
        second.goto(page.url)
        second.wait_for_selector(".event.block .actions button")
        look(page)
        reach(page, "Override D004")
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.innerText") == "Override D004", "the focus returns"
        page.keyboard.press("Enter")
        look(page)
        page.keyboard.type("The fee is ours.")
        reach(page, "Override")
        page.keyboard.press("Enter")
        second.wait_for_selector(".event:has-text('The fee is ours.')", timeout=4_000)
        assert "Rosa Lindt (operator)" in second.inner_text("#timeline > li:last-child")
        assert "D004 was let through" in second.inner_text("#live")
        page.wait_for_selector(".event.block .state:has-text('A person let this call through')")
        reach(page, "Answer D002", "Shift+Tab")
        page.keyboard.press("Enter")
        page.keyboard.type("yes")
        reach(page, "Pass on")
        page.keyboard.press("Enter")
        page.wait_for_selector("#dialog-fault:has-text('only from the user')")
        page.focus("#dialog-text")
        page.keyboard.type(", 150 euros, they say")
        reach(page, "Pass on")
        page.keyboard.press("Enter")
        second.wait_for_selector(".event:has-text('150 euros, they say')", timeout=4_000)
        page.wait_for_selector("dialog:not([open])", state="attached")
        page.wait_for_selector(".event:has-text('150 euros, they say')", timeout=4_000)
        look(page)


def test_a_person_signs_in_and_a_viewer_changes_nothing(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as desk, window(browser, 360) as page:
        page.goto(desk.address)
        page.wait_for_selector("#key:focus")
        look(page)
        page.keyboard.type(KEYS["Ada Viewer"][1])
        page.keyboard.press("Enter")
        page.wait_for_selector("#list button")
        assert page.inner_text("#who") == "Ada Viewer viewer of acme" and page.locator("#list button").count() == 3
        page.click("#list button:has-text('desk-1002')")
        page.wait_for_selector(".event.block")
        assert page.locator("#timeline .actions button, #holding-parts button").count() == 0
        page.click("#sign-out")
        page.wait_for_selector("#sign-in:not([hidden])")
        assert page.locator("#timeline li:visible").count() == 0


@pytest.mark.parametrize("width", WIDTHS)
def test_hostile_texts_are_shown_as_texts(browser: Browser, desk: Served, width: int) -> None:
    with window(browser, width) as page:
        page.on("dialog", lambda own: pytest.fail("a script ran"))
        page.goto(desk.address)
        page.click("#list button:has-text('alert')")
        page.wait_for_selector(".event:nth-child(6)")
        shown = page.inner_text("#desk")
        assert "<script>alert(1)</script><img src=x onerror=alert(1)> javascript:alert(1)" in shown
        assert "⟨U+202E⟩evil⟨U+0000⟩" in shown and "\u202e" not in page.content()
        assert page.locator("#desk script, #desk img, #desk a, #desk [onerror]").count() == 0
        look(page)


def test_a_long_conversation_is_paged_and_found_by_search(browser: Browser, tmp_path: Path) -> None:
    async def play() -> None:
        said = [
            NewEvent("heard", {"assistant": f"No. {number}", "at": "2026-12-01T09:00:00"}, "2026-12-01T09:00:00Z")
            for number in range(2_000)
        ]
        await guard.store.append("acme", "long", 0, said)
        for number in range(60):
            await guard.store.append("acme", f"short-{number:02}", 0, said[:1])

    with serving(tmp_path, alone()) as desk, window(browser, 1280) as page:
        guard = desk.guard
        apart(play())
        page.goto(desk.address)
        page.wait_for_selector("#list li:nth-child(50)")
        page.click("#list-more")
        page.wait_for_selector("#list li:nth-child(60)")
        page.fill("#containing", "long")
        page.wait_for_selector("#list li:only-child button:has-text('2,000 events')")
        page.click("#list button")
        page.wait_for_selector(".event:has-text('No. 1999')")
        assert page.locator(".event").count() == 60
        page.click("#earlier")
        page.wait_for_selector(".event:has-text('No. 1880')", state="attached")
        assert page.locator(".event").count() == 120
        page.fill("#of", "-")
        page.fill("#containing", "walk")
        page.wait_for_selector("#list li:only-child button:has-text('walk-in')")
        page.fill("#containing", "<none>")
        page.wait_for_selector("#list-empty:not([hidden])")
