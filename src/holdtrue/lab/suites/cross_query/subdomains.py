"""All subdomains by name: relational, temporal, policy and underspecified ones."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from holdtrue.lab.suites.cross_query.policy.access import ACCESS_CONTROL
from holdtrue.lab.suites.cross_query.policy.eligibility import ELIGIBILITY
from holdtrue.lab.suites.cross_query.relational.circular import CIRCULAR
from holdtrue.lab.suites.cross_query.relational.colour import COLOUR
from holdtrue.lab.suites.cross_query.relational.linear import LINEAR
from holdtrue.lab.suites.cross_query.relational.office import OFFICE
from holdtrue.lab.suites.cross_query.relational.shift import SHIFT
from holdtrue.lab.suites.cross_query.relational.team import TEAM
from holdtrue.lab.suites.cross_query.subdomain import Subdomain
from holdtrue.lab.suites.cross_query.temporal.ordering import ORDERING
from holdtrue.lab.suites.cross_query.temporal.scheduling import SCHEDULING
from holdtrue.lab.suites.cross_query.underspecified.diagnosis import DIAGNOSIS
from holdtrue.lab.suites.cross_query.underspecified.fault import FAULT
from holdtrue.lab.suites.cross_query.underspecified.investigation import INVESTIGATION

RELATIONAL = (CIRCULAR, LINEAR, OFFICE, TEAM, COLOUR, SHIFT)
TEMPORAL = (SCHEDULING, ORDERING)
POLICY = (ACCESS_CONTROL, ELIGIBILITY)
UNDERSPECIFIED = (DIAGNOSIS, INVESTIGATION, FAULT)
SUBDOMAINS: Mapping[str, Subdomain] = MappingProxyType(
    {own.name: own for own in (*RELATIONAL, *TEMPORAL, *POLICY, *UNDERSPECIFIED)}
)
