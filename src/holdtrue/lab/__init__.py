"""The laboratory, which measures models and methods: what a suite or a kind of answer of one's own needs.

A `Suite` says where problems come from, a `Kind` how they are played and reported; both are registered, or named as
entry points, and found by their names. What can be set is a dataclass whose fields have an `Option`. A `Plan` has
`Job`s that a `Player` plays turn by turn, and a journal keeps a `PlayedEntry` of each. The product never imports
the laboratory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.namespace import namespace

if TYPE_CHECKING:
    from holdtrue.lab.kit.arm import Arm as Arm
    from holdtrue.lab.kit.arm import arm_of as arm_of
    from holdtrue.lab.kit.entry import FailureEntry as FailureEntry
    from holdtrue.lab.kit.entry import PlayedEntry as PlayedEntry
    from holdtrue.lab.kit.journal import each_of as each_of
    from holdtrue.lab.kit.journal import read_entries as read_entries
    from holdtrue.lab.kit.kind import Kind as Kind
    from holdtrue.lab.kit.kind import Teller as Teller
    from holdtrue.lab.kit.plan import AnyMethod as AnyMethod
    from holdtrue.lab.kit.plan import Job as Job
    from holdtrue.lab.kit.plan import Plan as Plan
    from holdtrue.lab.kit.plan import Posed as Posed
    from holdtrue.lab.kit.plan import Prepared as Prepared
    from holdtrue.lab.kit.playing import PlayedTurn as PlayedTurn
    from holdtrue.lab.kit.playing import Player as Player
    from holdtrue.lab.kit.registry import find_kind as find_kind
    from holdtrue.lab.kit.registry import find_suite as find_suite
    from holdtrue.lab.kit.registry import kind_names as kind_names
    from holdtrue.lab.kit.registry import register_kind as register_kind
    from holdtrue.lab.kit.registry import register_suite as register_suite
    from holdtrue.lab.kit.registry import suite_names as suite_names
    from holdtrue.lab.kit.suite import Loaded as Loaded
    from holdtrue.lab.kit.suite import Suite as Suite
    from holdtrue.lab.kit.suite import Validated as Validated
    from holdtrue.options import NoOptions as NoOptions
    from holdtrue.options import Option as Option
else:
    __all__, __getattr__, __dir__ = namespace(
        __name__,
        {
            ".kit.registry": "register_suite register_kind find_suite find_kind suite_names kind_names",
            ".kit.suite": "Suite Loaded Validated",
            ".kit.kind": "Kind Teller",
            "holdtrue.options": "Option NoOptions",
            ".kit.plan": "Plan Prepared Job Posed AnyMethod",
            ".kit.playing": "Player PlayedTurn",
            ".kit.entry": "PlayedEntry FailureEntry",
            ".kit.journal": "read_entries each_of",
            ".kit.arm": "Arm arm_of",
        },
    )
