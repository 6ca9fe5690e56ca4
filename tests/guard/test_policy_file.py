"""Tests of policy files: every fault is reported with its place, faults of form first and faults of rules last."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdtrue.errors import InputError
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy_file import PolicyError, load_policy, read_policy
from tests.guard.shop import shop

AIRLINE = Path(__file__).parents[2] / "examples/airline/policy.yaml"
HEAD = """\
policy: x
types: {P: [a, b]}
tools:
  definitions:
    - {name: act, parameters: {type: object, properties: {n: {type: integer}, p: {type: string}}, required: [n]}}
    - {name: look, parameters: {type: object, properties: {u: {type: string}}, required: [u]}}
  reads: [look]
facts:
  f: {key: {u: text}, record: {n: whole, "o?": text}, from: [{tool: look, key: {u: call.u}}]}
"""
RULE = "  - {id: r, on: act, hold: call.n > 1, say: s}\n"


def faults(text: str) -> list[str]:
    with pytest.raises(PolicyError) as error:
        read_policy(text)
    return str(error.value).split("\n")


def at_the_end(text: str) -> list[str]:
    """Return the faults of a policy that ends with these lines, without the lines before them."""
    start = HEAD.count("\n")
    found = []
    for fault in faults(HEAD + text):
        line, column, message = fault.split(":", 2)
        found.append(f"{int(line) - start}:{column}:{message}")
    return found


def test_the_policy_that_these_tests_use_has_no_fault() -> None:
    assert shop().name == "shop" and not shop().notes
    assert load_policy(AIRLINE).name == "airline"
    assert read_policy(HEAD + "rules:\n" + RULE).rules[0].on == ("act",)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "1:1: a policy is a mapping that begins with 'policy: NAME'"),
        ("- policy: x", "1:1: a policy is a mapping"),
        ("policy: x\nrulez: []", "2:1: there is no key 'rulez' here (rulez); did you mean 'rules'?"),
        ("rules: []", "1:1: policy is missing"),
        ("policy: 5", "1:9: policy: a text is needed, and 5 is a number; a text goes in quotes"),
        ("policy: x\nunsaid: maybe", "2:9: unsaid: input should be 'false' or 'unknown'"),
        ("policy: x\nrules: {a: 1}", "2:8: rules: input should be a valid list"),
        ("policy: x\nrules:\n  - {id: r, on: a, hold: b}", "3:5: rule 'r', say is missing"),
        (
            "policy: x\nrules:\n  - {id: r, on: a, hold: b, say: s, if: c}",
            "3:37: there is no key 'if' here (rule 'r', if)",
        ),
        ("policy: x\nrules:\n  - {id: r, on: a, hold: b, say: s, severity: high}", "3:47: rule 'r', severity: input"),
        ("policy: x\nlimits:\n  - {id: r, on: a, most: 1.5}", "3:26: limit 'r', most: input should be a valid integer"),
        ("policy: x\npolicy: y", "2:1: 'policy' stands twice"),
        ("policy: [x", "1:11: no YAML"),
        ('policy: x\nnow: "soon"', "2:7: now: it has to be a moment"),
        ('policy: x\nzone: Z\nnow: "2026-03-02T12:00:00"', "3:7: now: this moment needs a zone"),
    ],
)
def test_a_file_that_is_none_is_told_with_its_place(text: str, fault: str) -> None:
    assert any(own.startswith(fault) for own in faults(text)), faults(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("rules:\n  - {id: r, on: act, hold: call.m > 1, say: s}", "2:33: rule 'r': act has no 'm'; it has n, p"),
        ("rules:\n  - {id: r, on: act, hold: 'call.n > ', say: s}", "2:38: rule 'r': no CEL expression"),
        (
            "rules:\n  - id: r\n    on: act\n    say: s\n    hold: >-\n      call.n > 1\n      && call.p > 2",
            "7:19: rule 'r': call.p is a text",
        ),
        (
            "rules:\n  - {id: r, on: act, when: call.n, hold: 'true', say: s}",
            "2:33: rule 'r': a rule has to be true or",
        ),
        ("rules:\n  - {id: r, on: acct, hold: call.n > 1, say: s}", "2:17: rule 'r', on.0: there is no tool 'acct'"),
        (
            "rules:\n  - {id: r, on: [act, bad], hold: call.n > 1, say: s}",
            "2:23: rule 'r', on.1: there is no tool 'bad'",
        ),
        ("rules:\n  - {id: r, on: [], hold: 'true', say: s}", "2:17: rule 'r', on: the rule is on no tool"),
        (f"rules:\n{RULE}{RULE}", "3:5: the id 'r' is used twice"),
        (f"rules:\n{RULE}limits:\n  - {{id: r, on: act, most: 1}}", "4:5: the id 'r' is used twice"),
        ("limits:\n  - {id: l, on: act, most: 1, per: call.m}", "2:5: limit 'l': earlier act has no 'm'"),
        ("limits:\n  - {id: l, on: bad, most: 1}", "2:17: limit 'l', on.0: there is no tool 'bad'"),
        ("obligations:\n  - {id: o, hold: call.n > 1, say: s}", "2:19: obligation 'o': there is no 'call' here"),
        ("let: {a: call.n +}", "1:18: let.a: no CEL expression"),
        ("tables: {t: [1, x]}", "1:13: tables.t: the entries of a table have to be of one type"),
        ("said: {s: {type: wat}}", "1:11: said.s.type: there is no type 'wat'"),
        ("answers: {act: {n: whole}}", "1:16: answers.act: act is a tool, too"),
        ("answers: {a: text}", "1:14: answers.a: an answer is a record, not text"),
        ("effects:\n  - {on: bad, fact: f, key: {}}", "2:5: effects.0: there is no tool 'bad'"),
        ("effects:\n  - {on: act, fact: g, key: {}}", "2:5: effects.0: there are no facts of kind 'g'; there is f"),
        ("effects:\n  - {on: act, fact: f, key: {v: '1'}}", "2:5: effects.0: facts of kind f are found by u, not by v"),
        ("effects:\n  - {on: act, fact: f, key: {u: call.n}}", "2:38: effects.0: u is text, and this is whole"),
        ("effects:\n  - {on: act, fact: f, key: {u: call.p}, set: {m: '1'}}", "2:5: effects.0: there is no field 'm'"),
        ("effects:\n  - {on: act, fact: f, key: {u: call.p}, set: {n: call.p}}", "2:56: effects.0: n is whole, and"),
        ("effects:\n  - {on: act, fact: f, key: {u: call.p}, forget: [n, m]}", "2:5: effects.0: there is no field 'm'"),
        ("effects:\n  - {on: act, fact: f, key: {u: call.p}, when: call.n}", "2:53: effects.0: a rule has to be true"),
    ],
)
def test_a_fault_of_a_part_is_told_with_its_place_and_path(text: str, fault: str) -> None:
    assert at_the_end(text)[0].startswith(fault), at_the_end(text)


@pytest.mark.parametrize(
    ("part", "fault"),
    [
        ("{key: {u: text}, record: text}", "facts.f: a record is meant, not text"),
        (
            "{key: {u: list of text}, record: {n: whole}}",
            "facts.f: a key is a text, a number or a date, and u is a list",
        ),
        ("{key: {u: text}, record: {n: whole}, fresh: soon}", "facts.f.fresh: 'soon' is no duration; write 24h"),
        ("{key: {u: text}, record: {n: whole}, fresh: 0s}", "facts.f.fresh: '0s' is no duration"),
        (
            "{key: {u: text}, record: {n: whole}, from: [{tool: bad, key: {}}]}",
            "facts.f.from.0: there is no tool 'bad'",
        ),
        (
            "{key: {u: text}, record: {n: whole}, from: [{tool: look, key: {}}]}",
            "facts.f.from.0: facts of kind f are found by u, not by",
        ),
        (
            "{key: {u: text}, record: {n: whole}, from: [{tool: look, key: {u: call.u}, result: {m: whole}}]}",
            "facts.f.from.0: the result has no 'n' of type whole; it has m",
        ),
        (
            "{key: {u: text}, record: {n: whole}, from: [{tool: look, key: {u: call.u}, result: {n: text}}]}",
            "facts.f.from.0: the result has no 'n' of type whole",
        ),
        (
            "{key: {u: text}, record: {n: whole}, from: [{tool: look, key: {u: call.u}, each: result.n}]}",
            "facts.f.from.0: ",
        ),
        (
            "{key: {u: text}, record: {n: whole}, from: [{tool: look, key: {u: call.u}, result: text}]}",
            "facts.f.from.0: the result has no 'n' of type whole; it is text: say under fields what of it n is",
        ),
    ],
)
def test_a_fault_of_facts_is_told(part: str, fault: str) -> None:
    head = HEAD[: HEAD.index("facts:")]
    found = faults(f"{head}facts: {{f: {part}}}")
    assert fault in found[0], found
    assert found[0].startswith("8:")


@pytest.mark.parametrize(
    ("part", "fault"),
    [
        ("writes: [act, gone]", "tools.writes.1: there is no tool 'gone'; there is act, look"),
        ("writes: [look]", "tools.reads: look cannot be both"),
        ("consent: gone", "tools.consent.0: there is no tool 'gone'"),
        ("consent: [{on: [act, look]}, gone]", "tools.consent.1: there is no tool 'gone'"),
        ("types: {act: {m: date}}", "tools.types.act.m: m: act has no 'm'"),
        ("types: {act: {p: whole 0..x}}", "tools.types.act.p: '0..x' is no range"),
        ("types: {act: {n: date}}", "tools.types.act.n: n is whole in the schema, and cannot be date"),
        ("types: {gone: {}}", "tools.types.gone: there is no tool 'gone'"),
        ("change: {act: [n, m]}", "tools.change.act.1: m: act has no 'm'"),
        ("file: tools.json", "tools.file is found from the folder of a policy file"),
    ],
)
def test_a_fault_of_tools_is_told(part: str, fault: str) -> None:
    found = faults(HEAD.replace("  reads: [look]\n", f"  reads: [look]\n  {part}\n"))
    assert any(fault in own for own in found), found


def test_all_faults_of_rules_are_told_at_once_in_the_order_of_the_file() -> None:
    text = (
        "rules:\n"
        "  - {id: r1, on: act, hold: call.x > 1, say: s}\n"
        "  - {id: r2, on: [act, bad], hold: call.y == 1, say: s}\n"
    )
    found = at_the_end(text)
    assert [own.partition(" ")[2][:20] for own in found] == [
        "rule 'r1': act has n",
        "rule 'r2', on.1: the",
        "rule 'r2': act has n",
    ]
    with pytest.raises(PolicyError) as error:
        read_policy(HEAD + text, where="shop.yaml")
    assert [place.line for place, _ in error.value.faults] == [11, 12, 12]
    assert all(own.startswith("shop.yaml:") for own in str(error.value).split("\n"))


def test_rules_are_looked_at_once_what_they_use_has_no_fault() -> None:
    found = at_the_end(
        "rules:\n  - {id: r1, on: act, hold: call.x > t, say: s}\ntables: {t: [1, x]}\nlet: {a: 'b c'}\nnow: soon\n"
    )
    assert [own.partition(" ")[2][:20] for own in found] == ["tables.t: the entrie", "let.a: no CEL expres"]


def test_all_faults_of_the_form_are_told_before_others() -> None:
    found = at_the_end(
        "rules:\n"
        "  - {id: a, on: act, holds: call.y > 1, sya: s}\n"
        "  - {id: b, on: act, hold: call.x > 1, say: s, severity: aks}\n"
        "  - {id: d, on: act, hold: call.n > 1}\n"
        "rule: []\n"
        "said: {s: {typ: text}, t: 5}\n"
        "effects:\n"
        "  - {on: act, fact: ff, key: {u: call.p}, wen: 5}\n"
    )
    assert found == [
        "2:22: there is no key 'holds' here (rule 'a', holds); did you mean 'hold'?",
        "2:41: there is no key 'sya' here (rule 'a', sya); did you mean 'say'?",
        "3:58: rule 'b', severity: input should be 'block', 'ask' or 'warn'; did you mean 'ask'?",
        "4:5: rule 'd', say is missing",
        "5:1: there is no key 'rule' here (rule); did you mean 'rules'?",
        "6:12: there is no key 'typ' here (said.s.typ); did you mean 'type'?",
        "6:27: said.t: it has to be a mapping",
        "8:43: there is no key 'wen' here (effects.0.wen); did you mean 'when'?",
    ]


def test_a_key_is_told_with_its_own_place() -> None:
    found = at_the_end("rule:\n  - {id: a}\ntools_:\n\n  reads: [a]\n")
    assert [own.partition(" ")[0] for own in found] == ["1:1:", "3:1:"]
    assert faults("policy: x\nrules:\n  - {id: r, type: text, on: a, hold: b, say: s}")[0] == (
        "3:13: there is no key 'type' here (rule 'r', type)"
    )
    assert "1:1: there is no key 'type' here (type); did you mean 'types'?" in at_the_end("type: 5\n")


@pytest.mark.parametrize(
    ("change", "text", "told"),
    [
        (("n: whole, ", "n: whle, "), "", ["facts.f.record.n: there is no type 'whle'; did you mean 'whole'?"]),
        (
            ("a, b]}", "a, b], Q: txt}"),
            "said: {s: {type: Q}}\n",
            ["types.Q: there is no type 'txt'; did you mean 'text'?"],
        ),
        (
            ("types: {P", "typs: {P"),
            "said: {s: {type: P}}\n",
            ["there is no key 'typs' here (typs); did you mean 'types'?"],
        ),
        (
            ("facts:", "fact:"),
            "",
            ["there is no key 'fact' here (fact); did you mean 'facts'?"],
        ),
        (
            ("  definitions:", "  definition:"),
            "",
            ["there is no key 'definition' here (tools.definition); did you mean"],
        ),
        (("  reads:", "  file: gone.json\n  reads:"), "", ["tools.file is found from the folder of a policy file"]),
        (("  reads:", "  types: {act: {n: dat}}\n  reads:"), "", ["tools.types.act.n: there is no type 'dat'"]),
        (("", ""), "let: {g: 'facts.f(call.p).m'}\n", ["let.g: f has no 'm'"]),
        (("", ""), "tables: {t: {x: 1, y: b}}\n", ["tables.t: the entries of a table have to be of one type"]),
        (("", ""), "let: {g: 'facts.f(call.p) n'}\n", ["let.g: no CEL expression"]),
    ],
)
def test_what_follows_from_a_fault_is_not_told(change: tuple[str, str], text: str, told: list[str]) -> None:
    rules = (
        "rules:\n"
        "  - {id: a, on: act, hold: g > call.n, say: s}\n"
        "  - {id: b, on: act, hold: facts.f(call.p).n > g, say: s}\n"
        "  - {id: c, on: act, when: said.s != null, hold: tables.t.x > call.n, say: s}\n"
        "  - {id: d, on: look, hold: size(done.act) < 4, say: s}\n"
        "limits:\n"
        "  - {id: l, on: act, most: 1, per: call.n}\n"
        "  - {id: m, on: '*', most: 1}\n"
        "effects:\n"
        "  - {on: act, fact: f, key: {u: call.p}, set: {n: call.n}}\n"
        "obligations:\n"
        "  - {id: o, hold: size(done.act) < 4, say: s}\n"
    )
    rest = {"let:": "let: {g: facts.f(call.p).n}\n", "tables:": "tables: {t: {x: 1, y: 2}}\n"}
    rest["said:"] = "said: {s: {type: text}}\n"
    whole = HEAD.replace(*change, 1)
    more = "".join(own for key, own in rest.items() if not text.startswith(key))
    read_policy(HEAD + rules + "".join(rest.values()))
    found = [own.partition(" ")[2] for own in faults(whole + text + more + rules)]
    assert len(found) == len(told) and all(map(str.startswith, found, told)), found


@pytest.mark.parametrize(
    ("hold", "hint"),
    [
        ("call.n > 1 and call.n < 5", "write && for 'and'"),
        ("call.n > 1 or not has(call.p)", "write || for 'or', ! for 'not'"),
        ("call.n = 1", "write == for '='"),
        ("call.p == 'x' call.n", "unexpected 'call.n'"),
        ("call.p == 'this and = that' )", "unexpected ')'"),
    ],
)
def test_signs_of_other_languages_are_told_with_what_to_write(hold: str, hint: str) -> None:
    assert at_the_end(f'rules:\n  - {{id: r, on: act, hold: "{hold}", say: s}}')[0].endswith(hint)


def test_files_are_found_from_the_folder_of_the_policy(tmp_path: Path) -> None:
    tools = [{"name": "act", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}]
    path = tmp_path / "policy.yaml"
    path.write_text("policy: x\ntools: {file: tools.json}\n", encoding="utf-8")
    with pytest.raises(PolicyError, match=r"policy.yaml:2:15: tools.json cannot be read"):
        load_policy(path)
    (tmp_path / "tools.json").write_text("{", encoding="utf-8")
    with pytest.raises(PolicyError, match=r"tools.json cannot be read"):
        load_policy(path)
    (tmp_path / "tools.json").write_text('{"tools": 5}', encoding="utf-8")
    with pytest.raises(PolicyError, match=r"a tool has a name; there is tools"):
        load_policy(path)
    (tmp_path / "tools.json").write_text("5", encoding="utf-8")
    with pytest.raises(PolicyError, match=r"tools.json is no list of tool definitions"):
        load_policy(path)
    (tmp_path / "tools.json").write_text(json.dumps({"tools": tools}), encoding="utf-8")
    one = load_policy(path)
    (tmp_path / "tools.json").write_text(json.dumps(tools), encoding="utf-8")
    other = load_policy(path)
    assert [*one.tools] == [*other.tools] == ["act"]
    text = "\ufefftools:\n  - name: act\n    parameters: {properties: {n: {type: number, maximum: 2.5}}}\n"
    for suffix in ("yaml", "YML"):
        (tmp_path / f"tools.{suffix}").write_text(text, encoding="utf-8")
        (tmp_path / "other.yaml").write_text(f"policy: x\ntools: {{file: tools.{suffix}}}\n", encoding="utf-8")
        found = load_policy(tmp_path / "other.yaml").check("act", {"n": 3}, Facts.none(), now="2026-01-01T00:00:00")
        assert found.rules == ("schema",)
    assert one.digest != other.digest, "what a policy names is part of it"
    assert load_policy(str(path)) == other, "a path may be a text"
    with pytest.raises(InputError, match="cannot be read"):
        load_policy(str(tmp_path / "gone.yaml"))


def test_a_hash_is_that_of_all_that_a_policy_says() -> None:
    one = read_policy(HEAD + "rules:\n" + RULE)
    assert one == read_policy("# a comment\n" + HEAD + "rules:\n" + RULE)
    assert one != read_policy(HEAD + "rules:\n" + RULE.replace("call.n > 1", "call.n > 2"))
    assert one != read_policy(HEAD + "zone: EST\nrules:\n" + RULE)
    assert len({one, one}) == 1


@pytest.mark.parametrize(
    ("record", "written", "fault"),
    [
        ("{s: [open, paid]}", "'\"payed\"'", "s is one of open, paid, and never 'payed'"),
        ("{s: [open, paid]}", '\'call.n > 1 ? "paid" : "shut"\'', "s is one of open, paid, and never 'shut'"),
        ("{s: [open, paid]}", "'\"paid\"'", None),
        ("{s: 'whole 0..'}", "'-1'", "s is at least 0, and never -1"),
        ("{s: 'whole ..9'}", "'10'", "s is at most 9, and never 10"),
        ("{s: 'whole 0..'}", "'0'", None),
    ],
)
def test_an_effect_writes_only_what_the_record_can_hold(record: str, written: str, fault: str | None) -> None:
    text = HEAD.replace('{n: whole, "o?": text}', record).replace("from: [{tool: look, key: {u: call.u}}]", "from: []")
    text += f"effects:\n  - {{on: act, fact: f, key: {{u: '\"x\"'}}, set: {{s: {written}}}}}\n"
    if fault is None:
        assert read_policy(text).effects
        return
    assert fault in "\n".join(faults(text))


def test_words_are_tested_by_null_and_not_by_has() -> None:
    named = "let: {l: has(said.s)}\nrules:\n  - {id: r, on: act, hold: l, say: s}\n"
    assert "has(said.s) is true of every call" in faults(HEAD + "said: {s: {type: text}}\n" + named)[0]
    rule = "rules:\n  - {id: r, on: act, hold: has(said.s) && call.n > 1, say: s}\n"
    assert faults(HEAD + "said: {s: {type: text}}\n" + rule)[0].endswith(
        "has(said.s) is true of every call; write said.s != null, size(said.s) > 0 for a list, or a flag itself"
    )
