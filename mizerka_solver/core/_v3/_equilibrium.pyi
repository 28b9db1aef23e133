from mizerka_solver.core._portable._equilibrium import *  # noqa: F403
