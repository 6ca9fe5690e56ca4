"""All kinds of cases, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from holdtrue.lab.suites.cross_query.policy import POLICY
from holdtrue.lab.suites.cross_query.relational import RELATIONAL
from holdtrue.lab.suites.cross_query.subdomain import Subdomain
from holdtrue.lab.suites.cross_query.temporal import TEMPORAL
from holdtrue.lab.suites.cross_query.underspecified import UNDERSPECIFIED

SUBDOMAINS: Mapping[str, Subdomain] = MappingProxyType(
    {own.name: own for own in (*RELATIONAL, *TEMPORAL, *POLICY, *UNDERSPECIFIED)}
)
