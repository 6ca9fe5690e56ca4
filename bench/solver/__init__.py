"""Speed of the solver core: holdtrue's own engine against a naive twin, in one run.

    python -m bench.solver                        # every row, some minutes
    python -m bench.solver --rows sat,nearest     # these rows only; a wrong name lists them all
    python -m bench.solver --quick                # a handful of problems, to see that it runs

Times are processor time of the thread, one operation at a time, the garbage collector off meanwhile.
"""
