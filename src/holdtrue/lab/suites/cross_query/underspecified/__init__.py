"""Cases that leave much open on purpose: diagnosis, investigation, fault finding."""

from holdtrue.lab.suites.cross_query.subdomain import Subdomain
from holdtrue.lab.suites.cross_query.underspecified.diagnosis import DIAGNOSIS
from holdtrue.lab.suites.cross_query.underspecified.fault import FAULT
from holdtrue.lab.suites.cross_query.underspecified.investigation import INVESTIGATION

UNDERSPECIFIED: tuple[Subdomain, ...] = (DIAGNOSIS, INVESTIGATION, FAULT)
