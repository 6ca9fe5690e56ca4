"""The laboratory measures models and methods. This package has the names that a new suite or kind of answer needs.

A `Suite` defines where problems come from, and a `Kind` how they are played and reported. Both are found by name, if
they are registered or declared as entry points. Settings are dataclasses whose fields have an `Option`. A `Player`
plays the `Job`s of a `Plan` turn by turn, and a journal keeps a `PlayedEntry` of each turn. A kind measures the entries
of a run. The resulting `Measured` has rows, and the plays of each `Arm`. The kind's `Reporting` declares the report of
such `Runs`. The `Contents` of a report are `ReportTable`s, which make their cells from rows. `FlatRows` are for data
frames. The product never imports the laboratory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.namespace import namespace

if TYPE_CHECKING:
    from holdtrue.options import NoOptions as NoOptions
    from holdtrue.options import Option as Option
    from holdtrue_lab.figures.cells import coverage as coverage
    from holdtrue_lab.figures.cells import percent as percent
    from holdtrue_lab.figures.cells import rate_interval as rate_interval
    from holdtrue_lab.figures.statistics import Estimate as Estimate
    from holdtrue_lab.figures.statistics import Rate as Rate
    from holdtrue_lab.figures.statistics import wilson as wilson
    from holdtrue_lab.figures.table import Column as Column
    from holdtrue_lab.kit.arm import Arm as Arm
    from holdtrue_lab.kit.arm import arm_of as arm_of
    from holdtrue_lab.kit.entry import Entry as Entry
    from holdtrue_lab.kit.entry import FailureEntry as FailureEntry
    from holdtrue_lab.kit.entry import PlayedEntry as PlayedEntry
    from holdtrue_lab.kit.flat import FlatRows as FlatRows
    from holdtrue_lab.kit.flat import spent as spent
    from holdtrue_lab.kit.folder import Measured as Measured
    from holdtrue_lab.kit.folder import Run as Run
    from holdtrue_lab.kit.headline import Figure as Figure
    from holdtrue_lab.kit.journal import each_of as each_of
    from holdtrue_lab.kit.journal import read_entries as read_entries
    from holdtrue_lab.kit.json_file import json_text as json_text
    from holdtrue_lab.kit.json_file import read_json as read_json
    from holdtrue_lab.kit.json_file import write_text as write_text
    from holdtrue_lab.kit.kind import Kind as Kind
    from holdtrue_lab.kit.kind import Teller as Teller
    from holdtrue_lab.kit.plan import AnyMethod as AnyMethod
    from holdtrue_lab.kit.plan import AnyProblem as AnyProblem
    from holdtrue_lab.kit.plan import Job as Job
    from holdtrue_lab.kit.plan import Plan as Plan
    from holdtrue_lab.kit.plan import Prepared as Prepared
    from holdtrue_lab.kit.played import PlayedArm as PlayedArm
    from holdtrue_lab.kit.played import by_arm as by_arm
    from holdtrue_lab.kit.playing import PlayedTurn as PlayedTurn
    from holdtrue_lab.kit.playing import Player as Player
    from holdtrue_lab.kit.playing import Playing as Playing
    from holdtrue_lab.kit.plays import ArmPlays as ArmPlays
    from holdtrue_lab.kit.plays import Play as Play
    from holdtrue_lab.kit.registry import find_kind as find_kind
    from holdtrue_lab.kit.registry import find_suite as find_suite
    from holdtrue_lab.kit.registry import kind_names as kind_names
    from holdtrue_lab.kit.registry import register_kind as register_kind
    from holdtrue_lab.kit.registry import register_suite as register_suite
    from holdtrue_lab.kit.registry import suite_names as suite_names
    from holdtrue_lab.kit.reporting import Reporting as Reporting
    from holdtrue_lab.kit.runs import Runs as Runs
    from holdtrue_lab.kit.runs import read_runs as read_runs
    from holdtrue_lab.kit.suite import Loaded as Loaded
    from holdtrue_lab.kit.suite import Suite as Suite
    from holdtrue_lab.kit.suite import Validated as Validated
    from holdtrue_lab.kit.tables import BY_DOMAIN as BY_DOMAIN
    from holdtrue_lab.kit.tables import BY_METHOD as BY_METHOD
    from holdtrue_lab.kit.tables import Columns as Columns
    from holdtrue_lab.kit.tables import Contents as Contents
    from holdtrue_lab.kit.tables import Lines as Lines
    from holdtrue_lab.kit.tables import ReportTable as ReportTable
    from holdtrue_lab.kit.tables import by_pair as by_pair
    from holdtrue_lab.kit.tables import by_part as by_part
    from holdtrue_lab.kit.transcript import title_of as title_of
else:
    __all__, __getattr__, __dir__ = namespace(
        __name__,
        {
            ".kit.registry": "register_suite register_kind find_suite find_kind suite_names kind_names",
            ".kit.suite": "Suite Loaded Validated",
            ".kit.kind": "Kind Teller",
            "holdtrue.options": "Option NoOptions",
            ".kit.plan": "Plan Prepared Job AnyProblem AnyMethod",
            ".kit.playing": "Playing Player PlayedTurn",
            ".kit.entry": "PlayedEntry FailureEntry Entry",
            ".kit.journal": "read_entries each_of",
            ".kit.json_file": "read_json json_text write_text",
            ".kit.transcript": "title_of",
            ".kit.arm": "Arm arm_of",
            ".kit.played": "PlayedArm by_arm",
            ".kit.plays": "ArmPlays Play",
            ".kit.folder": "Run Measured",
            ".kit.runs": "Runs read_runs",
            ".kit.reporting": "Reporting",
            ".kit.tables": "ReportTable Contents Columns Lines BY_METHOD BY_DOMAIN by_part by_pair",
            ".kit.headline": "Figure",
            ".kit.flat": "FlatRows spent",
            ".figures.table": "Column",
            ".figures.cells": "coverage percent rate_interval",
            ".figures.statistics": "Rate Estimate wilson",
        },
    )
