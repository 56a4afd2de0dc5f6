"""Catalogue of a release's operators that have a CUDA kernel, read with the release's own torchgen.

    catalogue = read(in_tree(Path("pytorch")))            # or in_wheel(Path(".../site-packages"))
    catalogue.ops[0].symbol                               # 'at::native::abs' ...

torchgen runs once for each release, in a separate process (3 s). The disk cache stores the result under a hash of
torchgen's code and of the YAML files that torchgen reads.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from porter.base import disk_cache
from porter.base.errors import Problem, RegisterError, SourceError
from porter.base.fingerprint import Answer
from porter.model.custom_ops import (
    Argument,
    ExcludedOp,
    OverloadForms,
    Override,
    Return,
    Signature,
    Wrapped,
)
from porter.model.ops import (
    Catalogue,
    DeclaredKernel,
    DeclaredOperator,
    Op,
    OpForm,
    Ufunc,
)

_CODE = ("base", "model", "register")
CATALOGUE = Answer("catalogue", _CODE)
SIGNATURES = Answer("signatures", _CODE)
REPLACED = Answer("replaced", _CODE)
DECLARED = Answer("declared", _CODE)
_PROGRAM = Path(__file__).with_name("program")
"""Folder of the package `torchgen_api`, which has no other modules: they could hide those of torchgen."""
_OPERATOR = re.compile(r"^- func: ([\w.]+)\(", re.M)
_YAML = ("native_functions.yaml", "tags.yaml")


class TorchgenSource(NamedTuple):
    """Location of a release's torchgen."""

    root: Path
    """Folder that contains `torchgen/`."""
    native: Path
    """Folder that contains native_functions.yaml and tags.yaml."""


def in_tree(tree: Path) -> TorchgenSource:
    """torchgen of a source tree. Raises SourceError when the tree lacks torchgen or its YAML files."""
    return _checked(TorchgenSource(tree, tree / "aten/src/ATen/native"))


def in_wheel(site: Path) -> TorchgenSource:
    """torchgen of an installed or unpacked PyTorch; `site` is the folder that contains `torch/` and `torchgen/`.

    Raises SourceError when the folder lacks torchgen or its YAML files.
    """
    return _checked(TorchgenSource(site, site / "torchgen/packaged/ATen/native"))


def read(torchgen: TorchgenSource) -> Catalogue:
    """Catalogue of operators, computed by a release's torchgen.

    Raises RegisterError, with torchgen's message, if torchgen fails.
    """
    made: Catalogue = disk_cache.computed_once(
        CATALOGUE, _content(torchgen), Catalogue, lambda: _catalogue(torchgen)
    )
    return made


def _catalogue(torchgen: TorchgenSource) -> Catalogue:
    data = _asked(torchgen, "catalogue", torchgen.native)
    return Catalogue(
        ops=tuple(_op(op) for op in data["ops"]),
        helpers=data["helpers"],
        ufuncs=tuple(Ufunc(**ufunc) for ufunc in data["ufuncs"]),
        direct=data["direct"],
        keys=tuple(data["keys"]),
    )


def declared(torchgen: TorchgenSource) -> tuple[DeclaredOperator, ...]:
    """All operators of a release with their C++ declarations, computed by the release's torchgen.

    Raises RegisterError, with torchgen's message, if torchgen fails.
    """
    made: tuple[DeclaredOperator, ...] = disk_cache.computed_once(
        DECLARED,
        _content(torchgen),
        tuple[DeclaredOperator, ...],
        lambda: tuple(map(_declared, _asked(torchgen, "declarations", torchgen.native))),
    )
    return made


def _declared(data: dict[str, Any]) -> DeclaredOperator:
    kernels = tuple(DeclaredKernel(**kernel) for kernel in data["kernels"])
    return DeclaredOperator(**{**data, "kernels": kernels})


def names(torchgen: TorchgenSource) -> frozenset[str]:
    """Names of all PyTorch operators, with overloads: `add.out`."""
    text = (torchgen.native / _YAML[0]).read_text(encoding="utf-8")
    return frozenset(_OPERATOR.findall(text))


class _Parsed(NamedTuple):
    """Schema parsed by torchgen; for an invalid schema, None and torchgen's error message."""

    signature: Signature | None
    error: str


def signatures(torchgen: TorchgenSource, schemas: Sequence[str]) -> list[Signature | str]:
    """Result of torchgen for each schema: its signature, or the error message if the schema is invalid.

    Raises RegisterError if torchgen fails.
    """
    if not schemas:
        return []
    key = f"{_content(torchgen)} {json.dumps(list(schemas))}"

    def ask() -> tuple[_Parsed, ...]:
        data = _asked_in_file(torchgen, "signatures", list(schemas))
        return tuple(
            _Parsed(None, one["error"]) if "error" in one else _Parsed(_signature(one), "")
            for one in data
        )

    parsed = disk_cache.computed_once(SIGNATURES, key, tuple[_Parsed, ...], ask)
    return [one.error if one.signature is None else one.signature for one in parsed]


class RefusedOverride(NamedTuple):
    """Reason why a custom kernel cannot override PyTorch's kernel, with advice."""

    text: str
    help: str


class OverriddenKernels(NamedTuple):
    """torchgen's wrappers for operators whose kernels are overridden."""

    helpers: str
    """C++ functions that the wrappers call, with CUDA's names."""
    found: tuple[tuple[OverloadForms, Wrapped | RefusedOverride], ...]
    """For each entry: the forms of its operator, and the wrapper or the reason why there is none."""


class _Answer(NamedTuple):
    """torchgen's result for one kernel: either `wrapped` or `wrong` is None."""

    family: OverloadForms
    wrapped: Wrapped | None
    wrong: RefusedOverride | None


class _Answers(NamedTuple):
    """torchgen's results for all kernels."""

    helpers: str
    kernels: tuple[_Answer, ...]


def replaced(
    torchgen: TorchgenSource, entries: Sequence[Override | ExcludedOp]
) -> OverriddenKernels:
    """Wrappers and registrations of kernels that override PyTorch's kernels, one for each entry.

    The entries must name existing operators. Raises RegisterError if torchgen fails.
    """
    if not entries:
        return OverriddenKernels("", ())
    asked = [_kernel(entry) for entry in entries]
    given = {"native": str(torchgen.native), "kernels": asked}
    key = f"{_content(torchgen)} {json.dumps(asked)}"

    def ask() -> _Answers:
        data = _asked_in_file(torchgen, "replaced", given)
        return _Answers(data["helpers"], tuple(map(_answer, data["kernels"])))

    said = disk_cache.computed_once(REPLACED, key, _Answers, ask)
    found = []
    for one in said.kernels:
        of_kernel = one.wrapped or one.wrong
        assert of_kernel is not None
        found.append((one.family, of_kernel))
    return OverriddenKernels(said.helpers, tuple(found))


def _answer(data: dict[str, Any]) -> _Answer:
    made = _wrapped(data["wrapped"])
    wrapped, wrong = (None, made) if isinstance(made, RefusedOverride) else (made, None)
    return _Answer(_family(data["family"]), wrapped, wrong)


def _kernel(entry: Override | ExcludedOp) -> dict[str, str | None]:
    if isinstance(entry, ExcludedOp):
        return {"op": entry.op, "namespace": "", "name": "", "meta": None}
    namespace, _, name = entry.kernel.rpartition("::")
    return {"op": entry.op, "namespace": namespace, "name": name, "meta": entry.meta}


def _family(data: dict[str, Any]) -> OverloadForms:
    return OverloadForms(tuple(data["others"]), data["composed"], data["view"], data["generator"])


def _wrapped(data: dict[str, Any]) -> Wrapped | RefusedOverride:
    if "error" in data:
        return RefusedOverride(data["error"], data["help"])
    forms = tuple(OpForm(**form) for form in data["forms"])
    declared = (data.get("declaration", ""), data.get("defined", ""))
    return Wrapped(*declared, tuple(data.get("functions", ())), forms)


def _asked_in_file(torchgen: TorchgenSource, command: str, what: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "given.json"
        given.write_text(json.dumps(what), encoding="utf-8")
        return _asked(torchgen, command, given)


def _signature(data: dict[str, Any]) -> Signature:
    arguments = tuple(Argument(**argument) for argument in data["arguments"])
    returns = tuple(Return(**one) for one in data["returns"])
    return Signature(**{**data, "arguments": arguments, "returns": returns})


_WHOLE_TREE = "give a complete source tree or header tree; porter release fetch RELEASE makes one"


def _checked(torchgen: TorchgenSource) -> TorchgenSource:
    needed = [torchgen.root / "torchgen/gen.py", *(torchgen.native / name for name in _YAML)]
    missing = [
        Problem("does not exist; porter needs PyTorch's code generator", str(path), _WHOLE_TREE)
        for path in needed
        if not path.is_file()
    ]
    if missing:
        raise SourceError(missing)
    return torchgen


def _content(torchgen: TorchgenSource) -> str:
    total = hashlib.sha256(f"{sys.version_info[:2]}".encode())
    code = sorted((torchgen.root / "torchgen").rglob("*.py"))
    for path in [*code, *(torchgen.native / name for name in _YAML)]:
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _asked(torchgen: TorchgenSource, command: str, given: Path) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "said.json"
        # -B: porter never writes bytecode to the release's tree. -P: the program must not import modules from the
        # working directory.
        words = [sys.executable, "-BP", "-m", "torchgen_api", command, str(torchgen.root), str(out)]
        done = subprocess.run(
            [*words, str(given)], check=False, capture_output=True, text=True, env=_environment()
        )
        if done.returncode:
            said = "\n".join(done.stderr.strip().splitlines()[-4:])
            help = f"the whole error is in {_kept(done.stderr)}"
            raise RegisterError(f"torchgen failed\n{said}", str(torchgen.root / "torchgen"), help)
        return json.loads(out.read_text(encoding="utf-8"))


def _environment() -> dict[str, str]:
    places = (str(_PROGRAM), os.environ.get("PYTHONPATH"))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places))}


def _kept(text: str) -> str:
    """Write an error's text to a new file in the folder of temporary files, and return the path."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="porter-torchgen-", suffix=".log", delete=False
    ) as file:
        file.write(text)
    return file.name


def _op(data: dict[str, Any]) -> Op:
    forms = tuple(OpForm(**form) for form in data["forms"])
    return Op(**{**data, "forms": forms})
