"""Build the compiled core twice from the same sources.

`mizerka_solver.core._portable` runs on any CPU of the platform. `mizerka_solver.core._v3` is the same code compiled for
x86-64-v3 (BMI2, AVX2, POPCNT) and is optional: where the compiler or the platform cannot make it, the build goes on
without. `mizerka_solver.core` chooses between them when the package is imported, so a wheel never depends on the
CPU it was built on. `_probe`, which only the tests of the kernels use, is built in editable installations alone.

Environment: MIZERKA_DEBUG=1 compiles with bounds checks and internal assertions; MIZERKA_NO_V3=1 leaves the second
build out; MIZERKA_COVERAGE=1 makes the portable one alone, with the compiler's counters of what ran
(tools/measure_coverage.py); MIZERKA_RECORD=1 makes builds that can record what leads cost, and are a little slower for
it (benchmarks/fit_leads.py).
"""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, PlatformError

try:
    from Cython.Build import cythonize
except ImportError as error:  # pragma: no cover - pip installs Cython into the build environment
    raise SystemExit("mizerka-solver: building from source needs Cython 3.1 or newer (pip install .)") from error

DEBUG = os.environ.get("MIZERKA_DEBUG") == "1"
COVERAGE = os.environ.get("MIZERKA_COVERAGE") == "1"
RECORD = os.environ.get("MIZERKA_RECORD") == "1"
N_CPUS = os.cpu_count() or 1
MODULES = ["_engine", "_playing", "_probe", "_equilibrium"]  # compiled in this order: those that take longest first
TESTS_ONLY = "_probe"
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
    "embedsignature.format": "python",
}

MSVC = sys.platform == "win32"
# What is built for, which on macOS need not be what is built on.
IS_X86_64 = sysconfig.get_platform().endswith(("x86_64", "amd64"))


def compile_flags(v3: bool) -> list[str]:
    """Options of the C compiler, macros among them: the generated C is the same in all builds."""
    macros = [
        name
        for name, wanted in {
            "MIZERKA_DEBUG": DEBUG,
            "MIZERKA_RECORD": RECORD,
            "MIZERKA_NO_FLATTEN": DEBUG or COVERAGE,
            "MIZERKA_V3": v3,
        }.items()
        if wanted
    ]
    if MSVC:
        return ["/O2", *(["/arch:AVX2"] if v3 else []), *(f"/D{name}=1" for name in macros)]
    # no-attributes: Cython calls all functions of .pxd files inline, those that must not be (layout.h) too.
    # no-maybe-uninitialized: the search fills in what it stores only if it stores.
    flags = ["-O1", "--coverage"] if COVERAGE else ["-O1"] if DEBUG else ["-O3"]
    flags += [
        "-g0",
        "-fno-strict-aliasing",
        "-Wno-attributes",
        "-Wno-maybe-uninitialized",
        *(["-march=x86-64-v3"] if v3 else []),
    ]
    return flags + [f"-D{name}=1" for name in macros]


def extensions(build: str) -> list[Extension]:
    """One Extension a module, under the build's own subpackage."""
    return [
        Extension(
            f"mizerka_solver.core.{build}.{name}",
            [f"cext/{name}.pyx"],
            include_dirs=["cext"],
            extra_compile_args=compile_flags(build == "_v3"),
            extra_link_args=["--coverage"] if COVERAGE else [],
            optional=build != "_portable",
        )
        for name in MODULES
    ]


def module_of(extension: Extension) -> str:
    """The module's own name, the same in all builds."""
    return str(extension.name).rpartition(".")[2]


def translations(modules: set[str]) -> dict[str, list[str]]:
    """Return the C sources of modules, made once for all builds: in it they are modules of the package that chooses
    between the builds, which is where classes say they are from.
    """
    made = cythonize(
        [Extension(f"mizerka_solver.core.{name}", [f"cext/{name}.pyx"]) for name in MODULES if name in modules],
        include_path=["cext"],
        build_dir="build/c",
        compiler_directives=DIRECTIVES,
        nthreads=N_CPUS if len(modules) > 1 else 0,
        quiet=True,
    )
    return {module_of(extension): extension.sources for extension in made}


def own_copy(extension: Extension, source: str) -> str:
    """Copy a C file for one build: compiled at the same time from one file, the builds would share object files too."""
    build = extension.name.split(".")[-2]
    copy = Path("build", f"c{build}", Path(source).name)
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, copy)
    return str(copy)


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

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or N_CPUS

    def run(self) -> None:
        if not (self.inplace or self.editable_mode):
            self.extensions = [extension for extension in self.extensions if not extension.name.endswith(TESTS_ONLY)]
        translated = translations({module_of(extension) for extension in self.extensions})
        for extension in self.extensions:
            extension.sources = [own_copy(extension, source) for source in translated[module_of(extension)]]
        self.extensions.sort(key=lambda extension: MODULES.index(module_of(extension)))
        try:
            super().run()
        except (CompileError, PlatformError) as error:
            cause = str(error)
            if "Command '[" in cause:  # the whole command line; it has been printed, and so has what it said
                cause = "what the compiler said is above"
            raise SystemExit(NO_COMPILER.format(cause=cause)) from None


BUILDS = ["_portable"]
if IS_X86_64 and os.environ.get("MIZERKA_NO_V3") != "1" and not COVERAGE:
    BUILDS.append("_v3")

setup(
    cmdclass={"build_ext": BuildCore},
    ext_modules=[extension for build in BUILDS for extension in extensions(build)],
)
