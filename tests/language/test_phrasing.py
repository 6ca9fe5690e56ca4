"""What the words of a sentence say for a constraint is told by its names in their order, not by who they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.reading_weights import LONGEST, commitment_features, phrasing_features, phrasing_score
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import find_domain
from holdtrue.world.scheduling import SCHEDULING

TABLE = Instance(find_domain("seating"), ["Ann", "Bob", "Will"], {})
LEFT, RIGHT = Constraint("left_of", ("Ann", "Bob")), Constraint("left_of", ("Bob", "Ann"))
BESIDE = Constraint("adjacent", ("Ann", "Bob"))


def test_names_are_letters_in_the_order_of_the_arguments() -> None:
    said = "Ann's chair is left of Bob's"
    one, other = phrasing_features(TABLE, said, LEFT), phrasing_features(TABLE, said, RIGHT)
    assert {"left_of AB", "left_of AB | left", "AB | left", "left_of ^ A"} <= one and "left_of BA | left" in other
    assert not one & {"left_of BA", "left_of B A"} and one != other
    assert "adjacent EE" in phrasing_features(TABLE, said, BESIDE)
    assert one == phrasing_features(
        Instance(TABLE.domain, ["Cy", "Dee Lee"], {}),
        "Cy's chair is left of Dee Lee's",
        Constraint("left_of", ("Cy", "Dee Lee")),
    )


def test_one_name_that_begins_another_is_not_taken_for_it() -> None:
    teams = SCHEDULING.instance(["Team 1", "Team 10", "Design Review", "Demo"])
    made = Constraint("before", ("Team 1", "Team 10"))
    assert "before A _ B" in phrasing_features(teams, "Team 1 before Team 10", made)
    assert "before B _ A" in phrasing_features(teams, "Team 10 before Team 1", made)
    review = Constraint("before", ("Design Review", "Demo"))
    assert "before A _ B" in phrasing_features(teams, "review before Demo", review)


def test_a_denial_and_words_of_size_are_features_of_their_own() -> None:
    assert "adjacent #denied" in phrasing_features(TABLE, "Ann won't sit by Bob", BESIDE)
    assert "adjacent #plain" in phrasing_features(TABLE, "Ann sits by Bob", BESIDE)
    assert {"left_of AB | #more", "AB | #more"} <= phrasing_features(TABLE, "Ann comes after Bob", LEFT)
    assert "AB | denied #more" in phrasing_features(TABLE, "Ann never comes after Bob", LEFT)


def test_whether_a_sentence_commits_is_told_by_words_that_no_domain_has() -> None:
    found = commitment_features(TABLE, "Maybe Ann sits by Bob?", BESIDE)
    assert {"maybe", "^ maybe", "maybe E", "?", "E _ by"} <= found
    assert found == commitment_features(TABLE, "Maybe Bob sits by Will?", Constraint("adjacent", ("Bob", "Will")))


def test_a_score_is_the_sum_of_weights_by_the_root_of_all_features() -> None:
    assert phrasing_score({"a": 2.0, "b": 1.0, "c": 9.0}, frozenset({"a", "b", "x", "y"})) == 1.5
    assert phrasing_score({}, frozenset({"a"})) == phrasing_score({"a": 1.0}, frozenset()) == 0.0


@given(st.text(max_size=200), st.sampled_from([LEFT, RIGHT, BESIDE]))
def test_any_text_has_features_without_names(text: str, made: Constraint) -> None:
    found = phrasing_features(TABLE, f"Ann {text} Bob", made) | commitment_features(TABLE, f"Ann {text} Bob", made)
    assert found and not any("ann" in name.split() or "bob" in name.split() for name in found)


def test_of_a_long_sentence_only_the_beginning_counts() -> None:
    said = "Ann sits by Bob " + " ".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(500))
    assert len(phrasing_features(TABLE, said, BESIDE)) < 12 * LONGEST < len(said.split()) * 3
