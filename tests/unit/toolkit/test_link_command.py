"""Command with which a toolkit folder's driver links objects for extensions and programs of PyTorch."""

from __future__ import annotations

import pytest

from porter.toolkit import commands
from porter.toolkit.command_line import read_gxx
from porter.toolkit.settings import ToolkitSettings

SETTINGS = ToolkitSettings(
    "acme",
    "2.6.0",
    "12.4",
    ("acmecc",),
    torch=True,
    link=("-lacme_runtime",),
    torch_link=("-L/site/torch_acme/lib", "-ltorch_acme_kernels"),
    libraries=("cudart",),
)


def _linked(*words: str, always: bool = False) -> list[str]:
    request = read_gxx(words)
    command, _ = commands.link_command(request, SETTINGS, request.inputs, "out", always=always)
    return command


def test_a_program_with_libtorch_loads_the_backend_and_finds_it() -> None:
    assert _linked("main.o", "-ltorch", "-Wl,-rpath,/toolkit/lib64") == [
        *("acmecc", "-Wl,-rpath,/site/torch_acme/lib"),
        *("main.o", "-ltorch", "-Wl,-rpath,/toolkit/lib64"),
        "-Wl,--push-state,--no-as-needed",
        *("-L/site/torch_acme/lib", "-ltorch_acme_kernels", "-Wl,--pop-state", "-o", "out"),
    ]


def test_an_extension_without_kernels_needs_only_the_symbols_that_it_uses() -> None:
    command = _linked("-shared", "bind.o", "-ltorch")
    assert "-Wl,--push-state,--as-needed" in command
    assert not [word for word in command if "rpath" in word]


@pytest.mark.parametrize("words", [("main.o", "-lcudart"), ("main.o", "-ltorch_cuda")])
def test_a_program_with_a_library_of_cuda_finds_the_backend(words: tuple[str, ...]) -> None:
    command = _linked(*words)
    assert command[:2] == ["acmecc", "-Wl,-rpath,/site/torch_acme/lib"]
    assert {"-lacme_runtime", "-ltorch_acme_kernels"} < set(command)


def test_a_program_without_pytorch_is_linked_as_before() -> None:
    assert _linked("main.o", "-lm") == ["acmecc", "main.o", "-lm", "-o", "out"]
