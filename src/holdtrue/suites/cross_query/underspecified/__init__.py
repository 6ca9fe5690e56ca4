"""Cases that leave much open on purpose: diagnosis, investigation, fault finding."""

from holdtrue.suites.cross_query.subdomain import Subdomain
from holdtrue.suites.cross_query.underspecified.diagnosis import DIAGNOSIS
from holdtrue.suites.cross_query.underspecified.fault import FAULT
from holdtrue.suites.cross_query.underspecified.investigation import INVESTIGATION

UNDERSPECIFIED: tuple[Subdomain, ...] = (DIAGNOSIS, INVESTIGATION, FAULT)
