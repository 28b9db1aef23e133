from mizerka_solver._portable._engine import *  # noqa: F403
