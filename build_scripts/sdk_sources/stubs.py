"""Import stubs: shared libraries that define a library's functions without code, so that programs can be linked."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from release_sources.commands import last_words
from release_sources.errors import FetchError
from sdk_sources.table import Sdk


def make(sdk: Sdk, folder: Path) -> None:
    """Make the stubs of an SDK in its library folder.

    Raises FetchError if gcc is missing or headers declare no function.
    """
    for soname, stub in sdk.stubs.items():
        names = declared(folder / "usr/include" / stub.headers, stub.prefix)
        if not names:
            raise FetchError(f"the headers of {sdk.name} declare no function {stub.prefix}...")
        library = next((folder / "usr/lib").glob("*-linux-gnu*"), folder / "usr/lib") / soname
        write(library, names)


def declared(headers: Path, prefix: str) -> list[str]:
    """Names, sorted, that begin with `prefix` and that a header declares as a function."""
    pattern = re.compile(rf"\b({re.escape(prefix)}\w+)\s*\(")
    texts = (path.read_text(errors="replace") for path in sorted(headers.rglob("*.h")))
    return sorted({name for text in texts for name in pattern.findall(text)})


def write(library: Path, functions: Iterable[str]) -> None:
    """Write a shared library whose functions all return 1, an error in every library of AMD. Raises FetchError."""
    if not shutil.which("gcc"):
        raise FetchError("gcc, which makes import stubs, is not on this machine")
    text = "".join(f"int {name}(void) {{ return 1; }}\n" for name in functions)
    command = ["gcc", "-shared", "-fPIC", "-w", f"-Wl,-soname,{library.name}", "-o", str(library)]
    done = subprocess.run(
        [*command, "-x", "c", "-"], input=text, check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise FetchError(f"gcc cannot make {library.name}", last_words(done.stderr))
