"""The names of findings that are about no rule of a policy."""

from __future__ import annotations

SCHEMA, UNKNOWN_TOOL, CONSENT, FAULT = "schema", "unknown-tool", "consent", "error"
UNFOUNDED, PENDING, UNHEARD, OVERRIDE = "unfounded", "pending", "unheard", "override"
UNDECLARED = "undeclared"
"""The ids of what no rule of a policy says: arguments do not fit the tool, the tool is not known, nobody said yes,
checking ended in an error of the program, an argument stands there that nobody agreed to and nothing shows, it is open
what calls did whose results have not come, a message could not be read, a person let a stopped call through, or an
argument stands there that the tool does not declare."""
