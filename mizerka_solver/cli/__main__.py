"""`python -m mizerka_solver.cli`: the command where no script is installed."""

from mizerka_solver.cli.start import main

main()
