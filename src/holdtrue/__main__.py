"""`python -m holdtrue` is the `holdtrue` command."""

from holdtrue.cli.main import main

main()
