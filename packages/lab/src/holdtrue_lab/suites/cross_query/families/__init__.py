"""This package defines the families of cases: meanings, laws, worlds and settings. Their words are in `words/`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from holdtrue_lab.suites.cross_query.families.policy import ACCESS_CONTROL, ELIGIBILITY
from holdtrue_lab.suites.cross_query.families.relational import CIRCULAR, COLOUR, LINEAR, OFFICE, SHIFT, TEAM
from holdtrue_lab.suites.cross_query.families.temporal import ORDERING, SCHEDULING
from holdtrue_lab.suites.cross_query.families.underspecified import DIAGNOSIS, FAULT, INVESTIGATION
from holdtrue_lab.suites.cross_query.subdomain import Subdomain

RELATIONAL = (CIRCULAR, LINEAR, OFFICE, TEAM, COLOUR, SHIFT)
TEMPORAL = (SCHEDULING, ORDERING)
POLICY = (ACCESS_CONTROL, ELIGIBILITY)
UNDERSPECIFIED = (DIAGNOSIS, INVESTIGATION, FAULT)
SUBDOMAINS: Mapping[str, Subdomain] = MappingProxyType(
    {own.name: own for own in (*RELATIONAL, *TEMPORAL, *POLICY, *UNDERSPECIFIED)}
)
