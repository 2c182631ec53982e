# Shared by the scripts of this folder, which source it. It stops the script at the first failing command.
# shellcheck shell=bash
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
SCRIPT=$(basename "$0")
PYTHON=/usr/bin/python3 # the one that sees Debian's packages, whatever `python3` is on PATH
[ -x $PYTHON ] || PYTHON=python3
# A fixed version: what ruff finds must not change by itself. Debian 12 has no package of it.
RUFF_VERSION=0.17.5

BUILD_PACKAGES=(g++ cmake ninja-build ccache pkg-config libsystemc-dev libboost-context-dev
  libboost-program-options-dev libdw-dev libfmt-dev nlohmann-json3-dev catch2 python3)
STUDY_PACKAGES=(python3-matplotlib python3-numpy python3-pandas python3-yaml python3-tqdm) # the last: progress of runs
TEST_PACKAGES=(libbenchmark-dev clang-format-14 clang-tidy-14 python3-pytest python3-venv valgrind "${STUDY_PACKAGES[@]}")

say() { printf '\n== %s\n' "$*"; }
fail() {
  printf '%s: %s\n' "$SCRIPT" "$*" >&2
  exit 1
}

# Installs those of the Debian packages named that are missing, and says which.
need_packages() {
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
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# Puts ruff into build/venv, and its path into RUFF.
need_ruff() {
  local venv=$ROOT/build/venv
  RUFF=$venv/bin/ruff
  if [ "$("$RUFF" --version 2>/dev/null)" != "ruff $RUFF_VERSION" ]; then
    say "installing with pip, into build/venv: ruff $RUFF_VERSION"
    "$PYTHON" -m venv --system-site-packages "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "ruff==$RUFF_VERSION"
  fi
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
