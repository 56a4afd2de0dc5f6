"""Commands of the target's compiler and linker for a request. Nothing here runs a command."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from porter.toolkit import c_sources
from porter.toolkit.command_line import Input, Request
from porter.toolkit.cuda_libraries import TORCH
from porter.toolkit.settings import ToolkitSettings

_OPTIMISE = re.compile(r"-O(?:[0-9sgz]|fast)?")
_STANDARD = re.compile(r"-std=(?:c|gnu)\+\+(\w+)")
_STANDARD_OF_C = re.compile(r"-ansi|-std=(?:c|gnu|iso9899:)\d\w*")
_OLD = frozenset(("98", "03", "0x", "11", "1y", "14"))
"""C++ standards that are too old for the headers of any target."""
_LIBTORCH = "-ltorch"
_NEEDED, _AS_NEEDED = "-Wl,--push-state,--no-as-needed", "-Wl,--push-state,--as-needed"
_AS_BEFORE = "-Wl,--pop-state"


class Libraries(NamedTuple):
    """Linker arguments after the replacement of CUDA's libraries."""

    words: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    """Libraries without a counterpart, each with the reason."""
    is_cuda: bool
    """True if a library of CUDA was named."""


def compile_flags(request: Request, settings: ToolkitSettings, language: str) -> list[str]:
    """Flags of one source, in the order of the command line: the target's, then the user's."""
    is_device = language == "cu"
    if language == "c":
        return list(request.options)
    own = [*settings.flags, *(settings.device_flags if is_device else settings.host_flags)]
    users = [word for word in request.options if not _is_old_standard(word)]
    if language == c_sources.LANGUAGE:
        users = [word for word in users if not _STANDARD_OF_C.fullmatch(word)]
    levels = [word for word in users if _OPTIMISE.fullmatch(word)]
    level = levels[-1] if levels else "-O0" if request.device_debug else "-O2"
    users = [word for word in users if not _OPTIMISE.fullmatch(word)]
    if settings.torch:
        # Python's own build flags, `-g -O3`, multiply the time of a compilation.
        users = [word for word in users if word != "-g"] if not request.device_debug else users
        level = "-O2" if level in ("-O3", "-O") else level
    chosen = settings.optimise if is_device and level in ("-O2", "-O3", "-O") else ()
    return [*own, *(chosen or (level,)), *users]


def dropped(request: Request) -> list[str]:
    """Options in a request that select a C++ standard older than the target's headers need; they have no effect."""
    return [word for word in request.options if _is_old_standard(word)]


def _is_old_standard(word: str) -> bool:
    match = _STANDARD.fullmatch(word)
    return bool(match) and match[1] in _OLD if match else False


def libraries(inputs: Iterable[Input], settings: ToolkitSettings) -> Libraries:
    """Linker arguments of objects and libraries, with the target's libraries instead of CUDA's."""
    words: list[str] = []
    left_out: list[tuple[str, str]] = []
    is_cuda = False
    own = [word for word in settings.link if word.startswith("-l")]
    for one in inputs:
        name = one.text[2:] if one.text.startswith("-l") and not one.language else ""
        if name in TORCH:
            is_cuda = True
            words += [word for word in settings.torch_link if word not in words]
        elif name in settings.libraries or one.text in own:
            is_cuda = True
        elif name in settings.unsupported:
            is_cuda = True
            left_out.append((name, settings.unsupported[name]))
        else:
            words.append(one.text)
    return Libraries(tuple(words), tuple(left_out), is_cuda)


def link_command(
    request: Request,
    settings: ToolkitSettings,
    inputs: Sequence[Input],
    output: str,
    *,
    always: bool,
) -> tuple[list[str], Libraries]:
    """Command that links objects, and the replaced libraries.

    With `always`, the target's runtime is linked even if the request names no library of CUDA, as nvcc does.
    """
    linked = libraries(inputs, settings)
    is_program = "-shared" not in request.link
    words = [*settings.compiler, *request.link]
    words += [
        word
        for word in request.options
        if word.startswith(("-O", "-fPIC", "-fopenmp", "-fsanitize"))
    ]
    words += linked.words
    if always or linked.is_cuda:
        words += [word for word in settings.link if word not in words]
        if settings.torch:
            words += [word for word in settings.torch_link if word not in words]
    elif _LIBTORCH in words and settings.torch:
        # libtorch.so of a CUDA build depends on libtorch_cuda.so: `-ltorch` is enough for sources without kernels. A
        # program needs the library even if it uses no symbol of it: the library registers the device.
        needed = _NEEDED if is_program else _AS_NEEDED
        words += [needed, *settings.torch_link, _AS_BEFORE]
    if is_program and any(word in words for word in settings.torch_link):
        # Unlike an extension, a program finds the backend's libraries by itself. Their folder comes first: the toolkit
        # folder contains links to libraries, and the loader would search their dependencies beside the links.
        folders = [word[2:] for word in settings.torch_link if word.startswith("-L")]
        at = len(settings.compiler)
        words[at:at] = [f"-Wl,-rpath,{folder}" for folder in folders]
    return [*words, "-o", output], linked
