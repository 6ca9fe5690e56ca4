"""Run the `holdtrue` command by `python -m holdtrue`."""

from holdtrue.cli.main import main

main()
