"""Cases about rules: who has access to what, and who is eligible for what."""

from holdtrue.lab.suites.cross_query.policy.access import ACCESS_CONTROL
from holdtrue.lab.suites.cross_query.policy.eligibility import ELIGIBILITY

POLICY = (ACCESS_CONTROL, ELIGIBILITY)
