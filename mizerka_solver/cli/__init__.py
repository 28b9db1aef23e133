"""The `mizerka` command: one module a subcommand. Parses, calls, prints; holds no logic; imported by nobody."""
