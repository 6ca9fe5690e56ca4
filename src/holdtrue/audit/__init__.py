"""Audit logs in bulk: check millions of logged turns as `check` does, or decide on recorded calls by a policy."""
