from mizerka_solver.core._portable._engine import *  # noqa: F403
