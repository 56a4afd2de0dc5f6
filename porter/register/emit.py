"""C++ text that registers operators. Pure: writes no file.

The text of a shard depends on its own operators only, so that a new or removed operator changes one file.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence

from porter.model.ops import KEYS, Catalogue, Decision, Op, Ufunc
from porter.register.torchgen_names import TargetNaming, check, in_names

SHARDS = {"CUDA": 4}
"""Dispatch key -> number of files; 1 for other keys. One file of 51,000 lines took g++ 60 s and 1.9 GB; four files took
26 s on two processors and 1.1 GB each."""

_WRITTEN = "// Written by porter (porter/register/emit.py); changes are lost.\n"
_HEADERS = (
    "ATen/Context.h",
    "ATen/DeviceGuard.h",
    "ATen/EmptyTensor.h",
    "ATen/Tensor.h",
    "ATen/core/op_registration/adaption.h",
    "ATen/native/Resize.h",
    "ATen/ops/as_strided_native.h",
    "ATen/ops/empty.h",
    "ATen/ops/empty_strided.h",
    "c10/core/SymIntArrayRef.h",
    "c10/macros/Macros.h",
    "torch/library.h",
)
"""Headers that the generated wrappers use."""
_HEADERS_WHERE_USED = {"namedinference::": "ATen/NamedTensorUtils.h"}
"""Text in a wrapper -> header that the text needs. Releases with named tensors need it; 2.13 does not."""


def registrations(
    catalogue: Catalogue, decisions: Iterable[Decision], naming: TargetNaming
) -> dict[str, str]:
    """File name -> text of the registrations of all registered operators.

    Raises RegisterError when torchgen's text contains unknown names of CUDA.
    """
    shards: dict[tuple[str, int], list[Op]] = {}
    for decision in decisions:
        if not decision.left:
            op = decision.op
            number = zlib.crc32(op.forms[0].header.encode()) % SHARDS.get(op.key, 1)
            shards.setdefault((op.key, number), []).append(op)
    return {
        f"Register{KEYS[key]}_{number}.cpp": _shard(key, ops, catalogue.helpers[key], naming)
        for (key, number), ops in sorted(shards.items())
    }


def _shard(key: str, ops: Sequence[Op], helpers: str, naming: TargetNaming) -> str:
    stems = sorted({form.header for op in ops for form in op.forms})
    definitions = "\n".join(form.definition for op in ops for form in op.forms)
    text = in_names(
        f"{_WRITTEN}{_includes(headers(definitions, stems, naming))}\n"
        "namespace at {\nnamespace {\n\n"
        f"{helpers}\n\n{definitions}\n{_blocks(key, ops)}"
        "} // namespace\n} // namespace at\n",
        naming,
    )
    check(text, {op.kernel for op in ops}, stems, f"registrations of {key}")
    return text


def headers(definitions: str, stems: Iterable[str], naming: TargetNaming) -> list[str]:
    """Headers to include for wrappers of the operators with these header stems."""
    return [
        *_HEADERS,
        *(header for word, header in _HEADERS_WHERE_USED.items() if word in definitions),
        *(f"ATen/ops/{stem}_native.h" for stem in stems),
        naming.empty_header,
        naming.guard_header,
    ]


def _blocks(key: str, ops: Sequence[Op]) -> str:
    """TORCH_LIBRARY_IMPL blocks, one for each operator namespace; nearly all operators are in `aten`."""
    libraries: dict[str, list[str]] = {}
    for op in ops:
        for form in op.forms:
            libraries.setdefault(form.library, []).append(form.registration.strip())
    return "".join(
        f"TORCH_LIBRARY_IMPL({library}, {KEYS[key]}, m) {{\n" + "\n".join(lines) + "\n}\n\n"
        for library, lines in sorted(libraries.items())
    )


def ufunc_kernels(ufuncs: Iterable[Ufunc], naming: TargetNaming) -> dict[str, str]:
    """File name -> text of the kernels that torchgen generates. The files are compiled like the target's other kernels.

    Raises RegisterError when torchgen's text contains unknown names of CUDA.
    """
    return {ufunc_file(ufunc): _ufunc(ufunc, naming) for ufunc in ufuncs}


def ufunc_file(ufunc: Ufunc) -> str:
    """Name of the file with a kernel that torchgen generates."""
    return f"Ufunc{KEYS['CUDA']}_{ufunc.name}.cu"


def _ufunc(ufunc: Ufunc, naming: TargetNaming) -> str:
    included = [
        *((naming.main_header,) if naming.main_header else ()),
        f"ATen/native/ufunc/{ufunc.name}.h",
        "ATen/Dispatch.h",
        "ATen/native/DispatchStub.h",
        f"ATen/native/{naming.lower}/Loops.cuh",
        "c10/core/Scalar.h",
        f"ATen/ops/{ufunc.header}_native.h",
    ]
    text = in_names(
        f"{_WRITTEN}{_includes(included)}\n"
        f"namespace at::native {{\n{ufunc.text}}} // namespace at::native\n",
        naming,
    )
    # torchgen names the functors: CUDAFunctor_add.
    functors = {f"CUDAFunctor{on}_{ufunc.name}" for on in ("", "OnSelf", "OnOther")}
    check(text, {f"ufunc_{ufunc.name}_CUDA", *functors}, (), f"kernel of '{ufunc.name}'")
    return text


def filled_by(ufuncs: Iterable[Ufunc]) -> dict[str, str]:
    """Stub of each kernel that torchgen generates -> name of the file that fills the stub."""
    return {f"{ufunc.name}_stub": ufunc_file(ufunc) for ufunc in ufuncs}


def direct_headers(
    direct: Mapping[str, str], stems: Iterable[str], naming: TargetNaming
) -> dict[str, str]:
    """Header path -> text, for the given stems: functions like `at::<lower>::eq(...)`, which ported sources call.

    Upstream's `at::cuda::eq` calls the kernel directly. The functions here go through the dispatcher, but with the
    device's key only. Raises KeyError for a stem that `direct` lacks.
    """
    return {
        naming.direct_header(stem): in_names(
            f"{_WRITTEN}#pragma once\n\n"
            f"{_includes(['c10/core/DispatchKeySet.h', f'ATen/ops/{stem}.h', f'ATen/ops/{stem}_ops.h'])}\n"
            f"namespace at::{naming.lower} {{\n\n{direct[stem]}\n}} // namespace at::{naming.lower}\n",
            naming,
        )
        for stem in sorted(set(stems))
    }


def _includes(headers: Iterable[str]) -> str:
    return "".join(f"#include <{header}>\n" for header in headers)
