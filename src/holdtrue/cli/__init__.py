"""The command line. Each verb of the command has a file."""
