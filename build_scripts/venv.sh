# Functions for the Python environment .venv of the checkout. Sourced by the other scripts.
#
#   make_venv             creates .venv unless a working one exists
#   need_header H P       installs Debian's package P if the C++ header H is missing
#   need_browser          installs Debian's package chromium if there is no browser
#   need_debugger         installs Debian's package gdb if gdb is missing; without gdb, its tests are skipped
#   need_plugin_headers   installs Debian's package with the headers of g++ plugins
#   need_torch V          installs PyTorch V from the package index
#   need_backend V T [K]  builds the wheel of target simt with kernels K (default: all) for PyTorch V from the source tree T,
#                         and installs the wheel
#   pip_install NAME ARG  runs `pip install ARG...`, up to three times; NAME is used in messages
#   install [EXTRA]       installs this project in .venv, editable, with the dependencies of [EXTRA]; does nothing if
#                         pyproject.toml is unchanged since the last installation

step() { printf '== %s\n' "$*" >&2; }

die() {  # MESSAGE HELP
    printf 'error: %s\n  help: %s\n' "$1" "$2" >&2
    exit 4
}

# Python 3.11 is the reference version and comes first; $PYTHON selects another interpreter.
find_python() {
    local python candidates=(python3.11 python3 python3.12 python3.13 python3.14)
    [[ -z ${PYTHON:-} ]] || candidates=("$PYTHON")
    for python in "${candidates[@]}"; do
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$python"
            return
        fi
    done
    die "none of these is Python 3.11 or newer: ${candidates[*]}" \
        'install python3.11 with python3.11-venv, or name another one: PYTHON=/path/to/python3'
}

make_venv() {
    if .venv/bin/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        return
    fi
    local python
    python=$(find_python)
    step "making .venv with $("$python" --version)"
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        local package
        package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        die "$python cannot make a virtual environment" \
            "on Debian and Ubuntu: sudo apt-get install $package"
    fi
    rm -f .venv/installed*
    "$python" -m venv .venv >&2
}

# pip tries again if a connection is refused, but before release 25.1 (--resume-retries) not if a download breaks off. Some
# wheels have several hundred MB.
pip_install() {  # NAME ARGUMENTS...
    local name=$1 attempt
    shift
    for attempt in 1 2 3; do
        ! .venv/bin/python -m pip install --quiet "$@" >&2 || return 0
        [[ $attempt == 3 ]] || { step "pip could not install $name; attempt $((attempt + 1)) of 3"; sleep $((attempt * 10)); }
    done
    die "pip could not install $name" 'correct the error that pip reports above, then run this again'
}

install() {
    local extra=${1:-} want
    want="$(sha256sum <pyproject.toml) $PWD"  # an environment does not work after its folder is moved
    local stamp=.venv/installed${extra:+-$extra}
    if [[ -x .venv/bin/porter && -f $stamp && $(<"$stamp") == "$want" ]]; then
        return
    fi
    step "installing porter${extra:+ with its $extra dependencies} into .venv"
    pip_install porter -e ".${extra:+[$extra]}"
    printf '%s\n' "$want" >"$stamp"
    # An installation with extras includes the installation without extras.
    printf '%s\n' "$want" >.venv/installed
}

need_torch() {  # VERSION
    if .venv/bin/python - "$1" <<'PYTHON'
import sys
from importlib.metadata import PackageNotFoundError, version
try:
    found = version("torch").partition("+")[0] if version("numpy") else ""
except PackageNotFoundError:
    found = ""
sys.exit(found != sys.argv[1])
PYTHON
    then
        return
    fi
    step "installing PyTorch $1 into .venv (5 GB on disk, with CUDA's libraries)"
    pip_install "PyTorch $1" "torch==$1" numpy
}

need_backend() {  # VERSION SOURCE-TREE [KERNELS]
    local kernels=${3:-all}
    step "porting, building and packaging $2 for simt; the first build takes long, and shows its progress"
    .venv/bin/porter run --pytorch-src "$2" --target simt --kernels "$kernels" >&2
    local wheel want
    wheel=$(printf '%s\n' "generated/simt/$1/package/dist/"torch_simt-*.whl)
    want="$(sha256sum <"$wheel") $PWD"
    if [[ -f .venv/installed-torch_simt && $(<.venv/installed-torch_simt) == "$want" ]]; then
        return
    fi
    step "installing $wheel into .venv"
    pip_install "$wheel" --no-deps --force-reinstall "$wheel"
    printf '%s\n' "$want" >.venv/installed-torch_simt
}

# The compiler plugin of target simt (runtime/simt/plugin) needs GCC's plugin headers.
need_plugin_headers() {
    local package
    [[ ! -e $(g++ -print-file-name=plugin)/include/gcc-plugin.h ]] || return 0
    package="gcc-$(g++ -dumpversion | cut -d. -f1)-plugin-dev"
    apt_install "$package" || die "g++ has no plugin headers, and apt-get could not install $package" \
        "as root, on Debian and Ubuntu: apt-get install $package"
}

apt_install() {  # PACKAGE
    step "installing $1 by apt-get"
    { apt-get install -qq -y --no-install-recommends "$1" ||
        { apt-get update -qq && apt-get install -qq -y --no-install-recommends "$1"; }; } >&2
}

# The tests of pages (tests/browser) need a browser that Playwright can drive.
need_browser() {
    local program
    for program in chromium chromium-browser google-chrome; do
        ! command -v "$program" >/dev/null || return 0
    done
    apt_install chromium || die "there is no browser, and apt-get could not install chromium" \
        "as root, on Debian: apt-get install chromium"
}

need_debugger() {
    command -v gdb >/dev/null || apt_install gdb || step "gdb is missing: its tests are skipped"
}

# Arguments: a header that the C++ compiler must find, and the Debian package that contains the header.
need_header() {  # HEADER PACKAGE
    if g++ -x c++ -E -include "$1" /dev/null -o /dev/null 2>/dev/null; then
        return
    fi
    apt_install "$2" || die "$1 is missing and apt-get could not install $2" \
        "as root, on Debian and Ubuntu: apt-get install $2"
}
