"""The English of cases about access control: sentences for the setting, and phrasings of each constraint type.

Every phrasing has exactly one meaning: a grant says that it leaves out suspended people, and 'only' says nothing about
who does have access. The setting says that rules are about its people.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from holdtrue.lab.kit.words import Number, listed
from holdtrue.world.instance import Instance

PHRASINGS: dict[str, tuple[str, ...]] = {
    "has_role": (
        "{0} has the role of {1}",
        "the role of {0} is that of {1}",
        "{0} works in the role of {1}",
        "{0} holds the {1} role",
        "among those in the role of {1} is {0}",
    ),
    "not_role": (
        "{0} does not have the role of {1}",
        "the role of {0} is not that of {1}",
        "{0} has another role than that of {1}",
        "{0} does not hold the {1} role",
        "{0} is not among those in the role of {1}",
    ),
    "same_role": (
        "{0} and {1} have the same role",
        "the role of {0} is also the role of {1}",
        "{0} has the role that {1} has",
        "{0} and {1} share one role",
    ),
    "different_role": (
        "{0} and {1} have different roles",
        "the role of {0} is not the role of {1}",
        "{0} has another role than {1} has",
        "{0} and {1} do not share one role",
    ),
    "access": (
        "{0} has access to the {1}",
        "the {1} is accessible to {0}",
        "{0} is among the people with access to the {1}",
        "one of those who have access to the {1} is {0}",
        "access to the {1} is allowed for {0}",
    ),
    "no_access": (
        "{0} has no access to the {1}",
        "the {1} is not accessible to {0}",
        "{0} is not among the people with access to the {1}",
        "access to the {1} is not allowed for {0}",
        "{0} is without access to the {1}",
    ),
    "certified": (
        "{0} is certified",
        "{0} is a certified person",
        "it is the case that {0} is certified",
        "{0} is among the certified people",
    ),
    "not_certified": (
        "{0} is not certified",
        "{0} is not a certified person",
        "it is not the case that {0} is certified",
        "{0} is not among the certified people",
    ),
    "grant": (
        "everybody in the role of {0} who is not suspended has access to the {1}",
        "the role of {0} gives access to the {1} to all who have it and are not suspended",
        "whoever has the role of {0} has access to the {1}, except when suspended",
        "access to the {1} is granted to the role of {0}, which is to all in this role who are not suspended",
    ),
    "grant_certified": (
        "everybody in the role of {0} who is certified and not suspended has access to the {1}",
        "the role of {0} gives access to the {1} to all who have it, are certified and are not suspended",
        "whoever has the role of {0} and is certified has access to the {1}, except when suspended",
        "on condition of being certified and not suspended, everybody in the role of {0} has access to the {1}",
    ),
    "deny": (
        "nobody in the role of {0} has access to the {1}",
        "access to the {1} is denied to everybody in the role of {0}",
        "whoever has the role of {0} has no access to the {1}",
        "the {1} is not accessible to anybody in the role of {0}",
    ),
    "only_role": (
        "nobody outside the role of {0} has access to the {1}",
        "access to the {1} is denied to everybody who does not have the role of {0}",
        "if somebody has access to the {1}, then that person has the role of {0}",
        "the {1} is not accessible to anybody in another role than that of {0}",
    ),
    "only_certified": (
        "nobody who is not certified has access to the {0}",
        "access to the {0} is denied to everybody who is not certified",
        "if somebody has access to the {0}, then that person is certified",
        "the {0} is not accessible to anybody who lacks certification",
    ),
    "wider": (
        "whoever has access to the {0} also has access to the {1}",
        "if somebody has access to the {0}, then that person has access to the {1} as well",
        "everybody with access to the {0} has access to the {1} too",
        "nobody has access to the {0} without having access to the {1}",
    ),
}

_PEOPLE = (
    "This policy is about {count} people, {people}; what it says of everybody or nobody is said of them alone.",
    "There are {count} people: {people}. Rules for everybody or nobody are about these people only.",
)
_ROLES = (
    "Each of them has exactly one role out of {roles}; several people may have the same role, and a role may be "
    "nobody's.",
    "The roles are {roles}: everybody has exactly one of these, and a role may be that of several people or of nobody.",
)
_STATUS = ("Everybody is either certified or not.", "A person may or may not be certified.")
_RESOURCES = (
    "The resources are {resources}, and for each of them a person either has access or has none.",
    "Access is a matter of {number} resources, {resources}: to each of them, a person has access or has none.",
)
_SUSPENSIONS = (
    "A suspension wins over every grant: a suspended person has no access to any resource.",
    "Whoever is suspended has no access to any resource, whatever is granted.",
)
_SUSPENDED = ("{who} is suspended, and nobody else is.", "The only one who is suspended is {who}.")
_NOBODY_SUSPENDED = ("Nobody is suspended.", "As it is, not one of them is suspended.")
_OPEN_WORLDS = (
    "Whatever follows neither from this nor from what is stated below is open: somebody to whom nothing grants access "
    "may have it or not.",
    "Nothing is settled by silence: where no statement grants access and none denies it, a person may have access or "
    "not.",
)


def tell_setting(rng: Random, instance: Instance) -> Sequence[str]:
    """Return the sentences that tell the people, roles and resources, what suspension means, and that the world is
    open.
    """
    resources, suspended = instance.context["resources"], instance.context["suspended"]
    who = rng.choice(_SUSPENDED).format(who=suspended[0]) if suspended else rng.choice(_NOBODY_SUSPENDED)
    count, number = (Number(len(found), spelled=True) for found in (instance.entities, resources))
    return [
        rng.choice(_PEOPLE).format(count=count, people=listed(instance.entities)),
        rng.choice(_ROLES).format(roles=listed(instance.context["roles"])),
        rng.choice(_STATUS),
        rng.choice(_RESOURCES).format(number=number, resources=listed([f"the {name}" for name in resources])),
        rng.choice(_SUSPENSIONS),
        who,
        rng.choice(_OPEN_WORLDS),
    ]
