"""Routers of claims, on claims that are hard to route (VERGE, appendix C.3).

python -m bench.routing     # what the rules make of them, on each half and on all
"""
