"""The numbered sentences of prose, and policies that refer to them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.guard import PolicyError, load_policy
from holdtrue.guard.policy import Policy
from holdtrue.guard.prose import read_prose
from holdtrue.language.sentences import whole_sentences
from tests.data import DATA

LIBRARY = """\
# Library desk

Members borrow books (cf. No. 7). Fees are 1.50 EUR, e.g. for loans of Dr. Lee.

## 2 Loans

2.1 Limits

A member may have:
- at most **5 books**
  1. or 2.5 metres of them. Guests have none.
- one `laptop`

| Tier | Days |
|------|------|
| gold | 56   |
| std  | 28   |

    Indented text. 2*3*4 is 24.
"""


def told(text: str) -> list[tuple[tuple[str, ...], str]]:
    return [(own.path, own.text) for own in read_prose(text).sentences]


def test_headings_items_rows_and_sentences_are_numbered() -> None:
    sentences = read_prose(LIBRARY).sentences
    assert [own.number for own in sentences] == [*range(1, len(sentences) + 1)]
    assert [own.text for own in sentences if own.heading] == ["Library desk", "2 Loans", "2.1 Limits"]
    head, loans = ("Library desk",), ("Library desk", "2 Loans", "2.1 Limits")
    assert told(LIBRARY) == [
        ((), "Library desk"),
        (head, "Members borrow books (cf. No. 7)."),
        (head, "Fees are 1.50 EUR, e.g. for loans of Dr. Lee."),
        (head, "2 Loans"),
        (("Library desk", "2 Loans"), "2.1 Limits"),
        (loans, "A member may have:"),
        ((*loans, "A member may have:"), "at most 5 books"),
        ((*loans, "A member may have:", "at most 5 books"), "or 2.5 metres of them."),
        ((*loans, "A member may have:", "at most 5 books"), "Guests have none."),
        ((*loans, "A member may have:"), "one laptop"),
        (loans, "Tier: gold; Days: 56"),
        (loans, "Tier: std; Days: 28"),
        (loans, "Indented text."),
        (loans, "2*3*4 is 24."),
    ]
    assert {own.text: own.line for own in sentences}["at most 5 books"] == 10


def test_no_sentence_introduces_a_list_below_another_heading() -> None:
    assert told("# Loans\n\nWe lend.\n\n# Fees\n\n- None.")[-1] == (("Fees",), "None.")
    assert told("1 Loans\n\nWe lend.\n\n2 Fees\n\n- None.")[-1] == (("2 Fees",), "None.")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It is 3.5 m. Go on.", ["It is 3.5 m. Go on."]),  # a single letter may be an abbreviation
        ("See Art. 5. Books are free.", ["See Art. 5.", "Books are free."]),
        ("2.3. Late fees apply.", ["2.3. Late fees apply."]),
        ('He said "no." Then he left! Really?', ['He said "no."', "Then he left!", "Really?"]),
        ("First this; then that.", ["First this; then that."]),
        ("Ask vs. others, i.e. members.", ["Ask vs. others, i.e. members."]),
        ("Also, pay. Please.", ["Also, pay.", "Please."]),
        ("", []),
    ],
)
def test_sentences_keep_all_words_and_marks(text: str, parts: list[str]) -> None:
    assert whole_sentences(text) == parts


def test_numbered_sections_of_plain_text_are_headings() -> None:
    text = "1 Loans\n\n1.1 Books are lent for 28 days.\n1.2 Not more.\n\n2 Fees\n\nA day costs 10 cents.\n"
    assert told(text) == [
        ((), "1 Loans"),
        (("1 Loans",), "1.1 Books are lent for 28 days."),
        (("1 Loans",), "1.2 Not more."),
        ((), "2 Fees"),
        (("2 Fees",), "A day costs 10 cents."),
    ]


PIECES = st.sampled_from(
    ["Books are free. ", "e.g. now ", "- item\n", "## Head\n\n", "\n\n", "1. one\n", "3.5 ", "> said. ", "A. B. ", "x"]
)


@given(st.lists(PIECES, max_size=20).map("".join))
def test_no_word_is_lost_and_the_numbers_stay(text: str) -> None:
    prose = read_prose(text)
    assert [own.number for own in prose.sentences] == [*range(1, len(prose.sentences) + 1)]
    assert prose == read_prose(text) and prose.digest == read_prose(text).digest
    words = re.findall(r"[^\W\d_]{2,}", text)
    assert [word for own in prose.sentences for word in re.findall(r"[^\W\d_]{2,}", own.text)] == words
    assert all(own.text == " ".join(own.text.split()) and own.text for own in prose.sentences)


def test_white_space_does_not_change_the_digest_and_words_do() -> None:
    one = read_prose("Books  are\nfree. Yes.")
    assert one.digest == read_prose("Books are free.  Yes.\n").digest
    assert one.digest != read_prose("Books are dear. Yes.").digest


@pytest.mark.parametrize(("name", "count"), [("telecom/main_policy.md", 132), ("airline/policy.md", 126)])
def test_prose_of_trades_is_read_whole(name: str, count: int) -> None:
    path = DATA / "tau2" / name
    if not path.exists():
        pytest.skip("the policies of tau2 are not beside the repository")
    text = path.read_text(encoding="utf-8")
    sentences = read_prose(text).sentences
    assert len(sentences) == count
    assert re.findall(r"\w+", " ".join(own.text for own in sentences)) == re.findall(r"\w+", text)


POLICY = """\
policy: desk
prose: rules.md
tools:
  definitions: [{name: lend, parameters: {type: object, properties: {books: {type: integer}}}}]
  consent: [{on: lend, sentences: 2}]
tables: {free: {type: map of whole, entries: {gold: 3}, sentences: [3]}}
said: {asked: {type: bool, sentences: [3]}}
rules:
  - {id: five, on: lend, hold: call.books <= 5, say: At most five., sentences: [2, 3]}
not_checked:
  - {id: no-rule, say: A heading., reason: It states no rule., sentences: 1}
"""
PROSE = "# Desk\n\nMembers agree to five books. Gold members may ask for 3 more. Fees may apply.\n"


def policy_of(folder: Path, policy: str = POLICY, prose: str = PROSE) -> Policy:
    (folder / "rules.md").write_text(prose, encoding="utf-8")
    (folder / "policy.yaml").write_text(policy, encoding="utf-8")
    return load_policy(folder / "policy.yaml")


def test_parts_keep_their_sentences(tmp_path: Path) -> None:
    policy = policy_of(tmp_path)
    assert policy.prose is not None and len(policy.prose.sentences) == 4 and not policy.prose.edited
    assert {(own.section, own.name): own.sentences for own in policy.citing} == {
        ("rules", "five"): (2, 3),
        ("not_checked", "no-rule"): (1,),
        ("tools.consent", "lend"): (2,),
        ("said", "asked"): (3,),
        ("tables", "free"): (3,),
    }
    stated = POLICY.replace("rules.md", f"{{file: rules.md, digest: {policy.prose.digest}}}")
    for prose, edited in ((PROSE, False), (PROSE.replace("five", "six"), True)):
        found = policy_of(tmp_path, stated, prose).prose
        assert found is not None and found.edited is edited


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[2, 3]", "[2, 5]", "there is no sentence 5; the prose has sentences 1 to 4"),
        ("[2, 3]", "[0]", "there is no sentence 0"),
        ("[2, 3]", "[two]", "valid integer"),
        ("sentences: [3]}}\nsaid", "sentences: three}}\nsaid", "a list of numbers"),
        ("prose: rules.md\n", "", "the policy names no prose"),
        ("prose: rules.md", "prose: lost.md", "lost.md cannot be read"),
    ],
)
def test_numbers_that_the_prose_has_not_are_faults(tmp_path: Path, old: str, new: str, fault: str) -> None:
    assert POLICY.count(old) == 1
    with pytest.raises(PolicyError, match=re.escape(fault)):
        policy_of(tmp_path, POLICY.replace(old, new))
