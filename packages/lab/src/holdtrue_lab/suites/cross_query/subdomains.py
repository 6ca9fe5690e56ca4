"""All subdomains by name: relational, temporal, policy and underspecified ones."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from holdtrue_lab.suites.cross_query.families.access import ACCESS_CONTROL
from holdtrue_lab.suites.cross_query.families.diagnosis import DIAGNOSIS
from holdtrue_lab.suites.cross_query.families.eligibility import ELIGIBILITY
from holdtrue_lab.suites.cross_query.families.fault import FAULT
from holdtrue_lab.suites.cross_query.families.groups import COLOUR, SHIFT, TEAM
from holdtrue_lab.suites.cross_query.families.investigation import INVESTIGATION
from holdtrue_lab.suites.cross_query.families.office import OFFICE
from holdtrue_lab.suites.cross_query.families.ordering import ORDERING
from holdtrue_lab.suites.cross_query.families.scheduling import SCHEDULING
from holdtrue_lab.suites.cross_query.families.seating import CIRCULAR, LINEAR
from holdtrue_lab.suites.cross_query.subdomain import Subdomain

RELATIONAL = (CIRCULAR, LINEAR, OFFICE, TEAM, COLOUR, SHIFT)
TEMPORAL = (SCHEDULING, ORDERING)
POLICY = (ACCESS_CONTROL, ELIGIBILITY)
UNDERSPECIFIED = (DIAGNOSIS, INVESTIGATION, FAULT)
SUBDOMAINS: Mapping[str, Subdomain] = MappingProxyType(
    {own.name: own for own in (*RELATIONAL, *TEMPORAL, *POLICY, *UNDERSPECIFIED)}
)
