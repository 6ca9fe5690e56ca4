"""Records of the behaviour of holdtrue, kept so that a change can be compared with them.

`kept/` has a file for each part of behaviour. Each line of a file is one record: its name and its value.

- `suites`: problems, settings, journals and calls (with all prompts) of every suite under simulated models.
- `guard`: decisions on random calls under random policies, on a shop's and in conversations; analyses and audits.
- `reports`: reports on the runs of `suites` in all forms, pairs of runs compared, and exports.
- `readings`: readings of the messages of `tests/language` and of DRIFT, by rules and by models that know the gold.

The parts use the command line and public names alone, so that internal code may move and be renamed. A few names
that only the docs import are opened by `door(...)` and move with the docs. `playing.LEFT_OUT` and `playing.scrub`
leave out times, versions and paths. Every solver has ample time, so that no record depends on it.

    python -m tests.frozen.record --check               shows every record that has changed
    python -m tests.frozen.record --check --only guard  checks one part
    python -m tests.frozen.record --out DIR             writes all parts elsewhere, to compare two versions in full

`test_runs` plays all short runs and `test_reports` reports on the kept runs, both in seconds. `test_frozen` checks all
parts and is slow. If a change of behaviour is intended, read the output of `--check`. Then run
`python -m tests.frozen.record --only PART --out tests/frozen/kept`, and name the changed records and the reason in the
commit.
"""
