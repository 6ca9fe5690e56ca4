"""What holdtrue does today, written down, so that a large redesign can be held against it.

`kept/` has a file for each part of behaviour, with one record a line: its name, and what was found.

- `suites`: problems, settings, journals and calls (with all prompts) of every suite under simulated models.
- `guard`: decisions on random calls under random policies, on a shop's and in conversations; analyses and audits.
- `reports`: reports on the runs of `suites` in all forms, pairs of runs compared, and exports.
- `readings`: what rules read, and models that are told the gold, in the messages of `tests/language` and of DRIFT.
- `claims`: verdicts, cores and prompts of texts and sessions, `verify` and `formalize`; formulas read and refused.
- `names`: public names with signatures, commands with options and help, and schemas of files.

All is played through the command line and public names, so that moving and renaming what lies behind them changes
nothing here; the few names that only the docs import stand in `door(...)`, and move with the docs. Times, versions and
paths are left out by `playing.LEFT_OUT` and `playing.scrub`, and no question hangs on time.

    python -m tests.frozen.record --check               tells every record that is no longer what it was
    python -m tests.frozen.record --check --only guard  of one part
    python -m tests.frozen.record --out DIR             writes all parts elsewhere, to compare two versions in full

Where a change is meant, read what `--check` tells, run `python -m tests.frozen.record --only PART --out
tests/frozen/kept`, and say in the commit which records changed and why. `inputs/` has formulas that no test owns.
"""
