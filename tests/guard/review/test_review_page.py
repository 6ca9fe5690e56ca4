"""The page in a real browser: by keyboard, at all widths, in the dark, and with what it saves."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdtrue.guard.drafting.draft_folder import QUESTIONS, read_marks
from holdtrue.guard.review.mark_intake import mark_of, take_marks
from holdtrue.guard.review.policy_review import passages_of
from holdtrue.guard.review.review_page import passage_standing, review_page
from holdtrue.guard.yaml_text import write_yaml
from tests.chromium import Browser, needs_chromium
from tests.guard.review.shed import POLICY, PROSE, items_of, reviewed, written
from tests.slow import first_of

HOSTILE = "</script><img src=x onerror=\"document.title='taken'\">"
PARTS = {"rules": [{"id": "fee", "on": "rent", "hold": "true", "say": HOSTILE, "sentences": [5]}]}
QUESTION = {
    "id": "question-5",
    "sentences": [5],
    "rules": ["fee"],
    "tool": "rent",
    "case": {"tool": "rent", "call": {"renter": HOSTILE, "item": "hammer", "days": 3}},
    "first": {"decision": "allow", "parts": PARTS},
    "second": {"decision": "block", "parts": PARTS},
}


@pytest.fixture(scope="module")
def shed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = written(tmp_path_factory.mktemp("shed"), POLICY.replace("say: A licence.", f"say: {json.dumps(HOSTILE)}"))
    (folder / "rules.md").write_text(PROSE.replace("Members", "Members `</script><b>`"), encoding="utf-8")
    (folder / QUESTIONS).write_text(write_yaml([QUESTION]), encoding="utf-8")
    policy, passages = reviewed(folder)
    page = folder / "review.html"
    page.write_text(review_page("shed", passages, take_marks(folder, policy, passages, ())), encoding="utf-8")
    return folder, policy, passages


@pytest.fixture
def browser(shed: Any) -> Iterator[Browser]:
    with Browser() as found:
        found.open(shed[0] / "review.html", 1280)
        yield found


def states(browser: Browser) -> list[str]:
    found: list[str] = browser.value("[...document.querySelectorAll('h2 > .chip')].map(own => own.textContent)")
    return found


def pressed(browser: Browser) -> dict[str, str]:
    script = (
        "[...document.querySelectorAll('[aria-pressed=true]')].map(own => [own.closest('.item').id, own.className])"
    )
    return dict(browser.value(script))


def test_the_page_has_no_address_handler_or_style_of_others(shed: Any) -> None:
    text = (shed[0] / "review.html").read_text(encoding="utf-8")
    assert "{{" not in text and "innerHTML" not in text
    assert not re.findall(r"https?:|<link|<img|\son\w+=|\sstyle=", text.partition('type="application/json"')[0])
    assert text.count("</script>") == 2, "no text of the policy ends the data"


@needs_chromium
@pytest.mark.parametrize("width", first_of([360, 768, 1280], 1))
def test_nothing_is_cut_and_all_text_can_be_read_in_both_schemes(shed: Any, browser: Browser, width: int) -> None:
    browser.resize(width)
    browser.value("document.querySelectorAll('details').forEach(own => own.open = true)")
    for letter, place in (("right", 0), ("wrong", 1), ("unsure", 2)):
        browser.value(f"document.querySelectorAll('.item')[{place}].querySelector('.{letter}').click()")
    assert browser.value("document.documentElement.scrollWidth") <= width
    cut = "[...document.querySelectorAll('main *, #bar *')].filter(own => own.checkVisibility()).filter(own => own"
    assert browser.value(f"{cut}.getBoundingClientRect().right > innerWidth + 1).map(own => own.outerHTML)") == []
    small = "[...document.querySelectorAll('button, select, input')].filter(own => own.checkVisibility() && own"
    assert browser.value(f"{small}.getBoundingClientRect().height < 24).length") == 0
    for scheme in ("light", "dark"):
        browser.scheme(scheme)
        assert browser.value(_CONTRAST) == [], scheme


# Elements with text of their own whose contrast with the nearest filled background is under 4.5 to 1.
_CONTRAST = """(() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const bright = (rgb) => rgb.slice(0, 3).map((own) => own / 255)
    .map((own) => own <= 0.03928 ? own / 12.92 : ((own + 0.055) / 1.055) ** 2.4)
    .reduce((sum, own, place) => sum + own * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = (own) => { const rgb = parts(getComputedStyle(own).backgroundColor);
    return rgb.length < 4 || rgb[3] ? rgb : behind(own.parentElement); };
  return [...document.querySelectorAll("body *")]
    .filter((own) => [...own.childNodes].some((each) => each.nodeType === 3 && each.data.trim()))
    .filter((own) => own.checkVisibility())
    .filter((own) => { const [a, b] = [bright(parts(getComputedStyle(own).color)), bright(behind(own))];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5; })
    .map((own) => own.outerHTML.slice(0, 90));
})()"""


@needs_chromium
def test_all_is_marked_by_keys_alone_and_kept_by_the_browser(shed: Any, browser: Browser) -> None:
    folder, _, passages = shed
    items = [*items_of(passages)]
    assert browser.value("document.querySelectorAll('.item').length") == len(items)
    for place, id in enumerate(items):
        browser.press("j")
        assert browser.value("document.activeElement.id") == id
        assert browser.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        browser.press("rwu"[place % 3])
    before, progress = pressed(browser), browser.value("document.getElementById('progress').textContent")
    assert [*before] == items and f"{len(items)} of {len(items)} marked" in progress
    browser.press("ArrowUp")
    assert browser.value("document.activeElement.id") == items[-2]
    browser.press("Tab")
    browser.press("Tab")
    browser.press("Tab")
    browser.press("Enter")
    assert "unsure" in pressed(browser).values()
    browser.open(folder / "review.html", 1280)
    drawn = "[document.readyState, document.querySelectorAll('.item').length, Object.keys(localStorage).length]"
    # Chromium writes what a page keeps some time later, and a page that was opened before does not see it.
    for _ in range(20):
        if browser.value(drawn) == ["complete", len(items), 1]:
            break
        browser.open(folder / "review.html", 1280)
    assert browser.value(drawn) == ["complete", len(items), 1]
    assert {**pressed(browser), items[-2]: before[items[-2]]} == before
    assert browser.value("document.title") == "Review of shed", "no text of the policy was run"
    unnamed = "[...document.querySelectorAll('button, select, input, article')].filter(own => !(own.ariaLabel || own"
    assert (
        browser.value(
            f"{unnamed}.getAttribute('aria-labelledby') || own.textContent.trim() || own.labels?.length)).length"
        )
        == 0
    )


@needs_chromium
def test_saved_marks_are_those_of_the_terminal_and_both_stand_alike(
    shed: Any, browser: Browser, tmp_path: Path
) -> None:
    _, policy, passages = shed
    items, wanted = items_of(passages), []
    for place, own in enumerate(items.values()):
        letter = "rwu"[place % 3]
        box = f"document.getElementById('{own.id}')"
        browser.value(f"{box}.querySelector('input').value = 'A “note” {place}'")
        browser.value(f"{box}.querySelectorAll('button')['rwu'.indexOf('{letter}')].click()")
        expect = "confirm" if letter == "w" and own.expect and not own.other else None
        if expect:
            put = f"own => {{ own.value = '{expect}'; own.dispatchEvent(new Event('change')); }}"
            browser.value(f"({put})({box}.querySelector('select'))")
        wanted.append(mark_of(own, letter, f"A “note” {place}", expect))
    browser.save_into(tmp_path)
    browser.value("document.getElementById('save').click()")
    saved = _saved(tmp_path)
    assert read_marks(tmp_path) == tuple(wanted)
    folder = tmp_path / "again"
    shutil.copytree(shed[0], folder)
    intake = take_marks(folder, policy, passages, read_marks(tmp_path))
    words = {"right": "settled", "wrong": "wrong", "open": "open"}
    assert states(browser) == [words[passage_standing(own, intake)] for own in passages]
    (folder / "other.html").write_text(review_page("other", passages, intake), encoding="utf-8")
    here = pressed(browser)
    browser.open(folder / "other.html", 1280)
    assert pressed(browser) == here, "a new page shows the marks that were taken in"
    browser.value("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    browser.value("document.getElementById('copy').click()")
    assert browser.value("window.copied") == saved.read_text(encoding="utf-8")


def _saved(folder: Path) -> Path:
    for _ in range(200):
        if (found := folder / "marks.yaml").exists() and found.stat().st_size:
            return found
        time.sleep(0.05)
    raise AssertionError(f"nothing was saved: {[*folder.iterdir()]}")


@needs_chromium
def test_only_what_is_wrong_or_open_can_be_shown(shed: Any, browser: Browser) -> None:
    browser.value("document.querySelector('.item .wrong').click()")
    show = "(own => { own.value = '%s'; own.dispatchEvent(new Event('change')) })(document.getElementById('shown'))"
    count = "[...document.querySelectorAll('.item')].filter(own => own.checkVisibility()).length"
    every = browser.value(count)
    browser.value(show % "wrong")
    assert browser.value(count) == 1
    browser.value(show % "open")
    assert browser.value(count) == every - 1


def test_the_same_review_gives_the_same_page(shed: Any) -> None:
    folder, policy, _ = shed
    from holdtrue.guard.analysis.edges import find_edges

    again = passages_of(folder, policy, find_edges(policy))
    text = review_page("shed", again, take_marks(folder, policy, again, ()))
    assert text == (folder / "review.html").read_text(encoding="utf-8")
