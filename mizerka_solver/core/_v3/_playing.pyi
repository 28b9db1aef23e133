from mizerka_solver.core._portable._playing import *  # noqa: F403
