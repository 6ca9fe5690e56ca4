"""Cases about time: events on a timeline, and pure order."""

from holdtrue.lab.suites.cross_query.temporal.ordering import ORDERING
from holdtrue.lab.suites.cross_query.temporal.scheduling import SCHEDULING

TEMPORAL = (SCHEDULING, ORDERING)
