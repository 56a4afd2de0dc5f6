"""Compiler and installed PyTorch for a build. Both are inspected before the first compilation."""

from __future__ import annotations

import functools
import json
import os
import re
import shlex
import shutil
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from porter.base import probe
from porter.base.errors import BuildError, SourceError, UsageError

OLDEST_GCC = 9
"""Oldest g++ whose C++17 support suffices for the headers of PyTorch 2."""
OLDEST_CLANG = 9
OLDEST_STANDARD = 17
"""C++ standard of the runtime `simt` and of the headers of PyTorch 2.1."""
_MACRO = re.compile(
    r"^#define (__GNUC__|__clang_major__|__clang_minor__|__GNUC_MINOR__) (\d+)$", re.M
)

_ASK = """
import importlib.util, json, sys, sysconfig
sys.path[:] = [place for place in sys.path if place]
found = importlib.util.find_spec("torch")
print(json.dumps({
    "torch": found.origin if found else None,
    "include": sysconfig.get_path("include"),
    "suffix": sysconfig.get_config_var("EXT_SUFFIX"),
    "version": "%d.%d" % sys.version_info[:2],
}))
"""
# The program does not search the current folder: a checkout of PyTorch contains a `torch` that is not built.


class Compiler(NamedTuple):
    """C++ compiler and its version."""

    command: tuple[str, ...]
    name: str
    """Name and version: `g++ 12.2` or `clang 16.0`."""


class Torch(NamedTuple):
    """PyTorch to compile against, installed or in a header tree, with its Python interpreter."""

    python: str
    root: Path
    """Folder `torch` in site-packages or in a header tree."""
    version: str
    """Value of `torch.__version__`: `2.6.0+cu124`."""
    cxx11_abi: bool
    """Value of `_GLIBCXX_USE_CXX11_ABI` with which PyTorch's libraries are built."""
    python_include: Path
    suffix: str
    """Suffix of the interpreter's extension modules: `.cpython-311-x86_64-linux-gnu.so`."""
    cxx: int
    """C++ standard that the headers need: 17."""
    has_libraries: bool = True
    """True for an installed PyTorch, False for a header tree."""

    @property
    def release(self) -> str:
        """Version without the suffix of the build: `2.6.0`."""
        return self.version.partition("+")[0]

    @property
    def includes(self) -> tuple[Path, ...]:
        """Header folders in search order.

        A header tree needs more folders than an installed PyTorch, because most headers in a header tree have the same
        paths as in the source tree.
        """
        api = Path("torch", "csrc", "api", "include")
        include = self.root / "include"
        if self.has_libraries:
            return include, include / api
        tree = self.root.parent
        return include, tree / "aten" / "src", tree, include / api, tree / api

    @property
    def lib(self) -> Path:
        return self.root / "lib"


def find_compiler(wanted: str) -> Compiler:
    """Compiler that the command `wanted` starts.

    Raises BuildError when the compiler is missing, does not work, or is too old for PyTorch.
    """
    command = words_of(wanted, "--compiler, or CXX")
    if not command or shutil.which(command[0]) is None:
        raise BuildError(f"no C++ compiler: '{wanted}' is not found", help=_where_to_get(command))
    ask = [*command, "-std=c++17", "-x", "c++", "-dM", "-E", os.devnull]
    try:
        done = probe.ask(ask, plain())
    except OSError as error:
        raise BuildError(f"the compiler does not start: {error.strerror}", command[0]) from None
    macros = {name: int(value) for name, value in _MACRO.findall(done.stdout)}
    if done.code != 0 or "__GNUC__" not in macros:
        said = done.stderr.strip().splitlines()
        text = f"the compiler does not work: {said[0] if said else f'exit {done.code}'}"
        help = f"the command was: {shlex.join(ask)}"
        raise BuildError(text, command[0], help)
    clang = macros.get("__clang_major__")
    if clang is not None:
        version, oldest, name = (clang, macros.get("__clang_minor__", 0)), OLDEST_CLANG, "clang"
    else:
        version, oldest, name = (
            (macros["__GNUC__"], macros.get("__GNUC_MINOR__", 0)),
            OLDEST_GCC,
            "g++",
        )
    found = f"{name} {version[0]}.{version[1]}"
    if version[0] < oldest:
        help = f"PyTorch needs {name} {oldest} or newer; choose another compiler with CXX or --compiler"
        raise BuildError(f"the compiler is too old: {found}", command[0], help)
    return Compiler(tuple(command), found)


def _where_to_get(command: list[str]) -> str:
    name = Path(command[0]).name if command else ""
    package = {"g++": "g++", "clang++": "clang"}.get(name)
    if package or not command:
        return f"install it (Debian: apt install {package or 'g++'}), or choose another compiler with CXX or --compiler"
    sdk = f"install the SDK with {name}, and put its bin/ on PATH or give --sdk"
    return f"{sdk}; or choose another compiler with CXX or --compiler"


@functools.cache
def find_torch(python: str, release: str | None = None) -> Torch:
    """PyTorch that is installed for an interpreter. PyTorch is not imported, and the result is cached.

    Raises SourceError when the interpreter does not run, when it has no PyTorch, or when the minor release of the
    installed PyTorch differs from `release` (the release being ported); BuildError when a needed file of PyTorch or the
    header Python.h is missing.
    """
    told = _ask(python)
    if not told["torch"]:
        help = f"install it: {python} -m pip install torch=={release or '<release>'}"
        raise SourceError("no PyTorch is installed for this interpreter", python, help)
    root = Path(told["torch"]).parent
    version = _version(root)
    if release is not None and _minor(version) != _minor(release):
        help = f"install PyTorch {release} ({python} -m pip install torch=={release}), or port {version}"
        text = f"PyTorch {version} is installed, but {release} is being ported"
        raise SourceError(text, str(root), help)
    include = _python_include(told)
    return Torch(python, root, version, _abi(root), include, told["suffix"], _standard(root))


@functools.cache
def header_torch(tree: Path, python: str) -> Torch:
    """PyTorch of a header tree, to compile for the interpreter `python`.

    Raises SourceError when the interpreter does not run, or when the tree lacks the headers that PyTorch's build
    generates; BuildError when Python.h is missing.
    """
    told = _ask(python)
    root = tree / "torch"
    version = _version(root)
    if not (root / "include" / "ATen" / "core" / "TensorBody.h").is_file():
        help = f"fetch it again: porter release fetch {version.partition('+')[0]}-headers"
        raise SourceError(
            "the tree lacks the headers that PyTorch's build generates", str(tree), help
        )
    include = _python_include(told)
    return Torch(
        python, root, version, _abi_of_cmake(root), include, told["suffix"], _standard(root), False
    )


def default_launcher(wanted: str | None) -> str:
    """Launcher, the command that starts the compiler: `wanted`, or an installed ccache if `wanted` is None.

    An empty result means no launcher. Raises BuildError when the program of `wanted` does not exist.
    """
    if wanted is None:
        return "ccache" if shutil.which("ccache") else ""
    words = words_of(wanted, "--launcher")
    if words and shutil.which(words[0]) is None:
        help = "install it, or give another --launcher"
        raise BuildError(f"--launcher: '{words[0]}' is not found", help=help)
    return wanted


def words_of(command: str, option: str) -> list[str]:
    """Words of a command, split as by a shell. Raises UsageError, which names `option`, for an unclosed quote."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{option}: '{command}': {error}", help="close the quotes") from None


def plain() -> dict[str, str]:
    """Environment variables with which compilers write messages in English, without colours."""
    return {**os.environ, "LC_ALL": "C", "GCC_COLORS": "", "TERM": "dumb"}


def _ask(python: str) -> dict[str, str]:
    try:
        done = probe.ask([python, "-c", _ASK])
    except OSError as error:
        raise no_interpreter(python, f"does not start: {error.strerror}") from None
    if done.code != 0:
        raise no_interpreter(python, f"does not work: {done.complaint}")
    try:
        answer: dict[str, str] = json.loads(done.stdout)
        answer["torch"], answer["include"], answer["suffix"], answer["version"]
    except (ValueError, KeyError, TypeError):
        raise no_interpreter(python, "does not work: it is not Python") from None
    return answer


def no_interpreter(python: str, why: str) -> SourceError:
    """SourceError for an unusable interpreter; `why` is the predicate of the message: `does not start`."""
    help = "give the interpreter for which PyTorch is installed: --python PYTHON"
    return SourceError(f"the interpreter {why}", python, help)


def _version(root: Path) -> str:
    place = root / "version.py"
    try:
        found = re.search(
            r"^__version__ = '([^']+)'", place.read_text(encoding="utf-8", errors="replace"), re.M
        )
    except OSError as error:
        raise BuildError(f"cannot be read: {error.strerror}", str(place)) from None
    if not found:
        raise BuildError("states no version: this is not an installed PyTorch", str(place))
    return found[1]


def _python_include(told: dict[str, str]) -> Path:
    include = Path(told["include"])
    if not (include / "Python.h").is_file():
        help = f"install the headers of Python {told['version']} (Debian: apt install python3-dev)"
        raise BuildError("Python.h is missing", str(include), help)
    return include


def _standard(root: Path) -> int:
    """C++ standard that torch/utils/cpp_extension.py mentions most often; 17 when it mentions none."""
    try:
        text = (root / "utils" / "cpp_extension.py").read_text(encoding="utf-8")
    except OSError:
        return OLDEST_STANDARD
    named = Counter(re.findall(r"-std=c\+\+(\d+)", text))
    return int(named.most_common(1)[0][0]) if named else OLDEST_STANDARD


def _abi_of_cmake(root: Path) -> bool:
    """Value of `_GLIBCXX_USE_CXX11_ABI` in a wheel's TorchConfig.cmake; True when the file does not state it."""
    place = root / "share" / "cmake" / "Torch" / "TorchConfig.cmake"
    try:
        found = re.search(r"-D_GLIBCXX_USE_CXX11_ABI=([01])", place.read_text(encoding="utf-8"))
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(place)) from None
    return found is None or found[1] == "1"


def _minor(version: str) -> list[str]:
    """Major and minor number of a version.

    The patch number is ignored, because version.txt contains 2.1.0a0 in the source tree of every release 2.1.x.
    """
    return version.partition("+")[0].split(".")[:2]


def _abi(root: Path) -> bool:
    """True if PyTorch's libraries use the C++11 ABI of std::string.

    The ABI is read from the mangled name of a function that every release defines.
    """
    place = root / "lib" / "libc10.so"
    try:
        names = place.read_bytes()
    except OSError as error:
        raise BuildError(f"cannot be read: {error.strerror}", str(place)) from None
    # c10::detail::torchCheckFail(const char*, const char*, uint32_t, const std::string&)
    begin = b"_ZN3c106detail14torchCheckFailEPKcS2_jRK"
    if begin + b"NSt7__cxx1112basic_string" in names:
        return True
    if begin + b"Ss\0" in names:
        return False
    text = "the C++ ABI is unknown: the library defines no c10::detail::torchCheckFail"
    raise BuildError(text, str(place), "install a wheel of a PyTorch release")
