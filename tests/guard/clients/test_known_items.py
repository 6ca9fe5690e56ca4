"""Histories sent whole, in windows, or only at their end: each message counts as new once, and as known after that."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.guard.clients.known_items import KnownItems, aligned, digest_of

WORDS = st.sampled_from(["ok", "4", "5", "yes"])
TALKS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=8)
"""What the user says, and what the assistant answers: few words, so that much is said again."""


class Talk:
    """A conversation as its names tell it; `heard` are the items that it has taken in, in order."""

    def __init__(self) -> None:
        self.refs: set[str] = set()
        self.heard: list[str] = []
        self._items: dict[str, str] = {}

    def item(self, who: str, text: str) -> str:
        digest = digest_of(who, text)
        self._items[digest] = f"{who}: {text}"
        return digest

    def shown(self, *items: str) -> list[str]:
        """Take in a request, and return what of it was new."""
        new = KnownItems.of(self.refs).new_in(items)
        self.refs |= {own.ref for own in new}
        found = [self._items[items[own.place]] for own in new]
        self.heard += found
        return found

    def answered(self, item: str) -> None:
        self.refs.add(KnownItems.of(self.refs).appended(item))


@given(TALKS, st.integers(1, 20))
def test_every_message_is_new_once_in_windows_of_any_size(turns: list[tuple[str, str]], size: int) -> None:
    talk, history = Talk(), []
    for said, answer in turns:
        history.append(talk.item("user", said))
        assert talk.shown(*history[-size:]) == [f"user: {said}"]
        assert talk.shown(*history[-size:]) == []  # a retry, before there is an answer
        history.append(talk.item("assistant", answer))
        talk.answered(history[-1])
    assert KnownItems.of(talk.refs).digests == tuple(history)


@given(TALKS)
def test_a_history_of_only_the_users_messages_is_heard_once(turns: list[tuple[str, str]]) -> None:
    talk, history = Talk(), []
    for said, answer in turns:
        history.append(talk.item("user", said))
        assert talk.shown(*history) == [f"user: {said}"]
        talk.answered(talk.item("assistant", answer))


@given(st.lists(st.tuples(st.uuids(), WORDS), min_size=2, max_size=8), st.data())
def test_an_edited_message_is_new_and_so_is_the_first_wording_if_it_comes_back(
    turns: list[tuple[object, str]], data: st.DataObject
) -> None:
    talk, history = Talk(), []
    for said, answer in turns:
        history.append(talk.item("user", str(said)))
        talk.shown(*history)
        history.append(talk.item("assistant", f"{said} {answer}"))
        talk.answered(history[-1])
    place = 2 * data.draw(st.integers(0, len(turns) - 1))
    edited = [*history[:place], talk.item("user", "edited"), *history[place + 1 :]]
    assert talk.shown(*edited) == ["user: edited"]
    assert talk.shown(*edited) == []
    assert talk.shown(*history) == [f"user: {turns[place // 2][0]}"]


@given(st.lists(WORDS, max_size=12), st.lists(WORDS, max_size=12))
def test_an_alignment_pairs_equal_items_in_order(known: list[str], shown: list[str]) -> None:
    found = aligned(known, shown)
    places = [own for own in found if own is not None]
    assert len(found) == len(shown)
    assert places == sorted(set(places))
    assert all(place is None or known[place] == item for place, item in zip(found, shown, strict=True))


@given(TALKS, st.data())
def test_no_part_of_a_history_lets_an_old_message_agree_again(
    turns: list[tuple[str, str]], data: st.DataObject
) -> None:
    talk, history = Talk(), []
    for said, answer in turns:
        history.append(talk.item("user", said))
        talk.shown(*history)
        history.append(talk.item("assistant", answer))
        talk.answered(history[-1])
    kept = data.draw(st.lists(st.booleans(), min_size=len(history), max_size=len(history)))
    part = [own for own, is_kept in zip(history, kept, strict=True) if is_kept]
    known = KnownItems.of(talk.refs)
    assert not any(own.is_latest for own in known.new_in(part))
    # Behind the end of what is known everything is new, whatever it says; so it is where a provider keeps the rest.
    yes = talk.item("user", "yes")
    assert [own.is_latest for own in known.new_in([*history, yes])] == [True]
    assert [own.is_latest for own in known.new_in([yes], is_continued=True)] == [True]


@given(st.lists(st.sampled_from(["yes", "no", "book it"]), min_size=1, max_size=6), st.data())
def test_a_part_of_a_history_whose_answers_differ_is_not_heard_again(said: list[str], data: st.DataObject) -> None:
    talk, history = Talk(), []
    for turn, text in enumerate(said):
        history += [talk.item("user", text), talk.item("assistant", f"answer {turn}")]
        talk.shown(*history)
    first = data.draw(st.integers(0, len(history) - 1))
    part = history[first : data.draw(st.integers(first, len(history))) + 1]
    assert len(part) == 1 or talk.shown(*part) == []


def test_asking_again_is_not_saying_it_again() -> None:
    assert aligned(["u1", "a1", "u2", "a2"], ["u1", "a1", "u2"]) == [0, 1, 2]
    assert aligned(["u1", "ok", "u2", "ok"], ["u1", "ok", "u2"]) == [0, 1, 2]
    assert aligned(["u1"], ["u1"]) == [0]
    # Nobody can tell these apart from the same words, said again after an answer.
    assert aligned(["u1", "a1"], ["u1"]) == [None]
    assert aligned(["5", "ok", "5", "ok"], ["5", "ok", "5"]) == [2, 3, None]


def test_long_histories_with_an_edit_are_aligned_quickly() -> None:
    known = [own for place in range(400) for own in (f"u{place}", "ok")]
    shown = [*known[:700], "edited", *known[701:]]
    assert aligned(known, shown).count(None) == 1
    assert aligned(["5", "ok"] * 300, ["4", *["ok", "5"] * 299]).count(None) == 1
