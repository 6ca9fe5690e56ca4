"""Random packages in Rego about two tools, with arguments that may be missing at any depth."""

from __future__ import annotations

from random import Random

ATOMS = (
    "input.args.amount < 200",
    "input.args.amount + input.args.fee > 300",
    'input.args.note == "free"',
    "input.args.note",
    "input.args.urgent",
    "input.args.urgent == true",
    'startswith(input.args.order, "A")',
    'input.args.order in {"A-1", "B.2"}',
    'input.user.role == "clerk"',
    "input.user.admin",
    '"clerk" in input.user.roles',
    'input.tool == "refund"',
    'input.args.to[_] == "ann@x.org"',
    'object.get(input.args, "fee", 0) == 0',
    "count(input.args.to) > 1",
    'grade(input.args.amount) == "low"',
)
ITEMS = ('endswith(x, "@x.org")', 'x == "eve@y.org"', "count(x) > 9", "input.user.admin")
NAMES = ("one", "two", "three")


def random_line(random: Random, names: tuple[str, ...]) -> str:
    own = random.choice((*ATOMS, *ATOMS, *names))
    match random.randrange(6):
        case 0 | 1:
            return own
        case 2 | 3:
            return f"not {own}"
        case 4:
            return f"every x in input.args.to {{ {random.choice(ITEMS)} }}"
    return f"some x in input.args.to; {random.choice(('', 'not '))}{random.choice(ITEMS)}"


def random_package(random: Random) -> str:
    lines = ["package agent", 'grade(x) := "low" if x < 100 else := "mid" if x < 300', "default allow := false"]
    for place, name in enumerate(NAMES):
        lines += [_rule(random, name, NAMES[:place]) for _ in range(random.randint(1, 2))]
    lines += [_rule(random, "allow", NAMES) for _ in range(random.randint(1, 2))]
    lines += [_rule(random, 'deny contains "x"', NAMES) for _ in range(random.randint(0, 2))]
    return "\n".join(lines)


def _rule(random: Random, head: str, names: tuple[str, ...]) -> str:
    found, loops = list[str](), 0
    for _ in range(random.randint(1, 3)):
        line = random_line(random, names)
        loops += line.startswith("some")
        if loops < 2 or not line.startswith("some"):  # A name is declared once.
            found.append(line)
    return f"{head} if {{ {'; '.join(found)} }}"
