#!/usr/bin/env bash
# The core's tests with AddressSanitizer and UndefinedBehaviorSanitizer, both builds: any report fails the run.
#
#     tools/sanitize.sh [PYTHON]      the interpreter to make an environment with; python3 if not given
#
# Works on a copy of the tree, so that the builds in place stay as they are. Needs gcc's sanitizer libraries. Leaks are not
# looked for: the interpreter itself keeps memory to its end.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git ls-files -z | tar --null -cf - -T - | tar -xf - -C "$work"
cd "$work"

flags="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-sanitize=alignment -fno-omit-frame-pointer -O1 -g1"
"$python" -m venv .venv
CFLAGS=$flags LDFLAGS="-fsanitize=address,undefined" MIZERKA_DEBUG=1 .venv/bin/pip install -q -e '.[test]'

export LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export PYTHONMALLOC=malloc
# These make their engines of both builds, so that one run is enough. The rest of test_equilibrium_core.py is more of the same.
tests="engine kernels lead_net exchange_brute playing_core core_arguments core_stress"
# -s: pytest would hold back the report that ends the process. shellcheck disable=SC2086 - a list of files
.venv/bin/python -m pytest -q -s -n 0 -p no:cacheprovider -p no:faulthandler $(printf 'tests/test_%s.py ' $tests)
.venv/bin/python -m pytest -q -s -n 0 -p no:cacheprovider -p no:faulthandler tests/test_equilibrium_core.py -k "not against_reference"
