"""Random policies of Cedar about refunds, with conditions that may be errors at any depth."""

from __future__ import annotations

from random import Random

ATOMS = (
    "context.input.amount < 200",
    "context.input.amount + context.input.fee > 300",
    'context.input.note == "free"',
    "context.input has note",
    "context.input.urgent",
    'context.input.order like "A*"',
    '["A-1", "B.2"].contains(context.input.order)',
    'principal.role == "clerk"',
    "principal has role",
    'principal in Group::"staff"',
    "principal is Robot",
    'principal.hasTag("scope")',
    'principal.getTag("scope") like "*refund*"',
    "resource.owner == principal",
    "context.input.urgent == (principal has role)",
    "true",
)


def random_condition(random: Random, depth: int) -> str:
    if depth == 0 or random.random() < 0.2:
        return random.choice(ATOMS)
    one, two, three = (random_condition(random, depth - 1) for _ in range(3))
    return random.choice(
        (
            f"({one} && {two})",
            f"({one} || {two})",
            f"!({one})",
            f"(if {one} then {two} else {three})",
            f"(({one}) == ({two}))",
        )
    )


def random_policies(random: Random) -> str:
    """One to three policies; half of the texts permit every call that no policy forbids."""
    found = ["permit(principal, action, resource);"] if random.random() < 0.5 else []
    for _ in range(random.randint(1, 3)):
        clauses = (
            f"{random.choice(('when', 'unless'))} {{ {random_condition(random, 3)} }}"
            for _ in range(random.randint(1, 2))
        )
        effect = random.choice(("permit", "forbid"))
        found.append(f'{effect}(principal, action == Action::"refund", resource) {" ".join(clauses)};')
    return "\n".join(found)
