from mizerka_solver._portable._equilibrium import *  # noqa: F403
