"""The compiled core built for any CPU of the platform; see `mizerka_solver.core` for the choice."""
