"""Relational cases: who sits where, and who gets which office, team, colour or shift."""

from __future__ import annotations

from holdtrue.lab.suites.cross_query.relational.circular import CIRCULAR
from holdtrue.lab.suites.cross_query.relational.colour import COLOUR
from holdtrue.lab.suites.cross_query.relational.linear import LINEAR
from holdtrue.lab.suites.cross_query.relational.office import OFFICE
from holdtrue.lab.suites.cross_query.relational.shift import SHIFT
from holdtrue.lab.suites.cross_query.relational.team import TEAM
from holdtrue.lab.suites.cross_query.subdomain import Subdomain

RELATIONAL: tuple[Subdomain, ...] = (CIRCULAR, LINEAR, OFFICE, TEAM, COLOUR, SHIFT)

__all__ = ["RELATIONAL"]
