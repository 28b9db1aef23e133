"""`python -m mizerka_solver.cli`: the command where no script is installed."""

from mizerka_solver.cli.main import main

main()
