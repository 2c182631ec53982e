# Shared by the scripts of this folder, which source it. It stops the script at the first failing command.
# shellcheck shell=bash
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
SCRIPT=$(basename "$0")
PYTHON=/usr/bin/python3 # the one that sees Debian's packages, whatever `python3` is on PATH
[ -x $PYTHON ] || PYTHON=python3
VENV=$ROOT/build/venv # for what comes from PyPI

# What a feature needs, by name. A script calls `need NAME...` where it is about to use the feature, so that each
# is installed at its first use; `scripts/install` does the same by hand.
declare -A PACKAGES=( # Debian's
  [build]="g++ cmake ninja-build ccache pkg-config libsystemc-dev libboost-context-dev libboost-program-options-dev
    libasmjit-dev libdw-dev libfmt-dev nlohmann-json3-dev zlib1g-dev python3"
  [study]="python3-matplotlib python3-numpy python3-pandas python3-yaml python3-tqdm"
  [dask]="python3-distributed"
  [slurm]="python3-distributed"
  [notebooks]="python3-nbclient python3-nbformat python3-ipykernel python3-pandas python3-matplotlib"
  [test]="catch2 python3-pytest valgrind libbenchmark-dev protobuf-compiler"
  [package]="dpkg-dev fakeroot"
  [tidy]="clang-tidy-14 python3" # Debian 13 lacks it, and newer ones find other things
  [room]="mmdebstrap distro-info-data git"
  [browser]="chromium"
  [riscv]="gcc-riscv64-linux-gnu g++-riscv64-linux-gnu gfortran-riscv64-linux-gnu qemu-user
    gdb-multiarch"
)
# From PyPI, in fixed versions: what Debian and Ubuntu lack, and what must find the same in each of their releases.
declare -A PYPI_PACKAGES=(
  [format]="clang-format==14.0.6 ruff==0.17.5"
  [page]="plotly==7.1.0" # its JavaScript, which Debian's package leaves out
  [slurm]="dask-jobqueue==0.9.0"
  [docs]="$(tr '\n' ' ' <"$ROOT/docs/site/requirements.txt")"
)
[ -z "${SYSTEMC_HOME:-}" ] || PACKAGES[build]=${PACKAGES[build]/libsystemc-dev/} # the user's own (cmake/FindSystemC.cmake)

say() { printf '\n== %s\n' "$*"; }
fail() {
  printf '%s: %s\n' "$SCRIPT" "$*" >&2
  exit 1
}

# need NAME...: installs what is missing of what these features need.
need() {
  local name debian=() pypi=()
  for name in "$@"; do
    [[ -n ${PACKAGES[$name]:-}${PYPI_PACKAGES[$name]:-} ]] || fail "no feature '$name'; there are: ${!PACKAGES[*]} ${!PYPI_PACKAGES[*]}"
    # shellcheck disable=SC2206 # one word per package
    debian+=(${PACKAGES[$name]:-}) pypi+=(${PYPI_PACKAGES[$name]:-})
  done
  [ ${#pypi[@]} -eq 0 ] || debian+=(python3-venv)
  need_debian "${debian[@]}"
  [ ${#pypi[@]} -eq 0 ] || need_pypi "${pypi[@]}"
}

# Whether this system has a package of that name, installed or to be had.
has_package() { [[ $(apt-cache policy "$1" 2>/dev/null) =~ (Installed|Candidate):\ [0-9] ]]; }

# Installs those of the Debian packages named that are missing, and says which.
need_debian() {
  if ! command -v dpkg-query >/dev/null; then
    say "this is no Debian: installing nothing; needed are what Debian calls $*"
    return
  fi
  local package missing=() as_root=()
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) == *" installed" ]] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "missing packages; as root, run: apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing with apt-get: ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  for package in "${missing[@]}"; do
    has_package "$package" || fail "the package $package is not to be had on this system (apt-cache policy $package)"
  done
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# Installs packages of PyPI, named with their versions, into build/venv. A file there says which it has.
need_pypi() {
  local package missing=()
  for package in "$@"; do
    [ -e "$VENV/has/$package" ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing with pip, into build/venv: ${missing[*]}"
  "$PYTHON" -m venv --system-site-packages "$VENV"
  "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check "${missing[@]}"
  mkdir -p "$VENV/has"
  for package in "${missing[@]}"; do
    rm -f "$VENV/has/${package%%==*}"==*
    touch "$VENV/has/$package"
  done
}

# build_preset PRESET [TARGET...]: configures and compiles. The presets' folders are in CMakePresets.json.
build_preset() {
  say "building (preset $1)"
  (cd "$ROOT" && cmake --preset "$1" && cmake --build --preset "$1" ${2:+--target "${@:2}"})
}

# The C++ and C files, each ended by a zero byte.
list_sources() {
  (cd "$ROOT/scripts" && "$PYTHON" -B -c 'import source_tree; print(*source_tree.sources(), sep="\0", end="\0")')
}
