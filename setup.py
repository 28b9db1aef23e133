"""Build the compiled core twice from the same sources.

`mizerka_solver.core._portable` runs on any CPU of the platform. `mizerka_solver.core._v3` is the same code compiled for
x86-64-v3 (BMI2, AVX2, POPCNT) and is optional: where the compiler or the platform cannot make it, the build goes on
without. `mizerka_solver.core` chooses between them when the package is imported, so a wheel never depends on the
CPU it was built on.

Environment: MIZERKA_DEBUG=1 compiles with bounds checks and internal assertions; MIZERKA_NO_V3=1 leaves the second
build out; MIZERKA_COVERAGE=1 makes the portable one alone, with the compiler's counters of what ran
(tools/measure_coverage.py); MIZERKA_RECORD=1 makes builds that can record what leads cost, and are a little slower for
it (benchmarks/fit_leads.py).
"""

import os
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, PlatformError

try:
    from Cython.Build import cythonize
except ImportError as error:  # pragma: no cover - pip installs Cython into the build environment
    raise SystemExit("mizerka-solver: building from source needs Cython 3.1 or newer (pip install .)") from error

DEBUG = os.environ.get("MIZERKA_DEBUG") == "1"
COVERAGE = os.environ.get("MIZERKA_COVERAGE") == "1"
MODULES = ["_engine", "_equilibrium", "_playing", "_probe"]
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}

msvc = sys.platform == "win32"
# What is built for, which on macOS need not be what is built on.
is_x86_64 = sysconfig.get_platform().endswith(("x86_64", "amd64"))
optimise = ["/O2"] if msvc else ["-O3", "-g0", "-fno-strict-aliasing"]
if DEBUG:
    optimise.append("/DMIZERKA_DEBUG=1" if msvc else "-DMIZERKA_DEBUG=1")
if os.environ.get("MIZERKA_RECORD") == "1":
    optimise.append("/DMIZERKA_RECORD=1" if msvc else "-DMIZERKA_RECORD=1")
if COVERAGE:
    optimise = ["-O1", "-g0", "-fno-strict-aliasing", "--coverage"]
# The search is compiled once for each place in a trick; that pays only if what it calls is really inlined there.
always_inline = [] if msvc or DEBUG or COVERAGE else ["-DCYTHON_INLINE=__inline__ __attribute__((__always_inline__))"]
# Macros go with the flags: cythonize merges `define_macros` of extensions that come from one source file.
builds = {"_portable": optimise}
if is_x86_64 and os.environ.get("MIZERKA_NO_V3") != "1" and not COVERAGE:
    builds["_v3"] = optimise + (["/arch:AVX2", "/DMIZERKA_V3=1"] if msvc else ["-march=x86-64-v3", "-DMIZERKA_V3=1"])


def extensions(build: str, flags: list[str]) -> list[Extension]:
    """One Extension a module, under the build's own subpackage; generated C kept apart so the builds cannot mix."""
    modules = [
        Extension(
            f"mizerka_solver.core.{build}.{name}",
            [f"cext/{name}.pyx"],
            include_dirs=["cext"],
            extra_compile_args=flags + (always_inline if name == "_engine" else []),
            extra_link_args=["--coverage"] if COVERAGE else [],
            optional=build != "_portable",
        )
        for name in MODULES
        if os.path.exists(f"cext/{name}.pyx")
    ]
    return cythonize(
        modules, include_path=["cext"], build_dir=f"build/c{build}", compiler_directives=DIRECTIVES, quiet=True
    )


NO_COMPILER = """\
mizerka-solver: the core could not be compiled ({cause}).

Installing from source needs a C compiler and Python's headers:
  Debian, Ubuntu   apt install gcc python3-dev
  macOS            xcode-select --install
  Windows          Build Tools for Visual Studio
Wheels need neither: pip install --only-binary :all: mizerka-solver
"""


class BuildCore(build_ext):
    """Compiles; where that can't be done, says in the end what is missing rather than only how it failed."""

    def run(self) -> None:
        try:
            super().run()
        except (CompileError, PlatformError) as error:
            cause = str(error)
            if "Command '[" in cause:  # the whole command line; it has been printed, and so has what it said
                cause = "what the compiler said is above"
            raise SystemExit(NO_COMPILER.format(cause=cause)) from None


setup(
    cmdclass={"build_ext": BuildCore},
    ext_modules=[extension for build, flags in builds.items() for extension in extensions(build, flags)],
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
