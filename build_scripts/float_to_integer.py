#!/usr/bin/env python3
"""Writes the table of CUDA's float-to-integer conversions: `runtime/simt/tests/float_to_integer.inc`.

    python build_scripts/float_to_integer.py            # write the table
    python build_scripts/float_to_integer.py --check    # only compare, exit 1 on a difference

The script needs nvcc, but no GPU. It compiles a kernel for each pair of types to PTX (`nvcc -arch=sm_75 -ptx`) and
reads the conversion instruction from the text. The results for edge values are computed with exact arithmetic from the
instruction's definition in "PTX ISA 8.4", "cvt":

- The number is rounded towards zero, and clamped to the range of the destination's type.
- NaN gives 0 if the source is not .f64 and the destination is neither .s64 nor .u64; otherwise 1 << (bits - 1).
- A store writes the low bits.

Before compute capability 9.0, no instruction converts bfloat16 to 8 bits. CUDA's header then compares the number with
the bounds of the integer type and tests for NaN; the results equal those of `cvt.rzi.s8.f32`.
"""

from __future__ import annotations

import argparse
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "runtime" / "simt" / "tests" / "float_to_integer.inc"
COMMAND = ("nvcc", "-arch=sm_75", "-ptx")


class Source(NamedTuple):
    """Floating-point type that is converted."""

    cuda: str
    ptx: str
    bits: int
    fraction: int
    """Number of stored bits of the significand."""

    @property
    def bias(self) -> int:
        return (1 << (self.bits - self.fraction - 2)) - 1

    @property
    def infinity(self) -> int:
        return ((1 << (self.bits - self.fraction - 1)) - 1) << self.fraction


class Integer(NamedTuple):
    """Integer type to which numbers are converted."""

    cuda: str
    ptx: str

    @property
    def bits(self) -> int:
        return int(self.ptx[1:])


SOURCES = (
    Source("float", "f32", 32, 23),
    Source("double", "f64", 64, 52),
    Source("__half", "f16", 16, 10),
    Source("__nv_bfloat16", "bf16", 16, 7),
)
INTEGERS = (
    Integer("char", "s8"),
    Integer("signed char", "s8"),
    Integer("unsigned char", "u8"),
    Integer("short", "s16"),
    Integer("unsigned short", "u16"),
    Integer("int", "s32"),
    Integer("unsigned int", "u32"),
    Integer("long", "s64"),
    Integer("unsigned long", "u64"),
    Integer("long long", "s64"),
    Integer("unsigned long long", "u64"),
)


def instructions(nvcc: str) -> dict[tuple[Source, Integer], str]:
    """Maps a pair of types to the conversion instruction that nvcc emits."""
    pairs = [(source, integer) for source in SOURCES for integer in INTEGERS]
    text = "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n" + "".join(
        f'extern "C" __global__ void k{index}({source.cuda} x, {integer.cuda}* out)'
        f" {{ *out = static_cast<{integer.cuda}>(x); }}\n"
        for index, (source, integer) in enumerate(pairs)
    )
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "pairs.cu"
        file.write_text(text, encoding="ascii")
        ptx = file.with_suffix(".ptx")
        subprocess.run([nvcc, *COMMAND[1:], file, "-o", ptx], check=True)
        kernels = re.split(r"\.entry k(\d+)\(", ptx.read_text(encoding="ascii"))[1:]
    found = {}
    for index, body in zip(kernels[::2], kernels[1::2], strict=True):
        source, integer = pairs[int(index)]
        found[source, integer] = instruction(source, integer, body)
    return found


def instruction(source: Source, integer: Integer, body: str) -> str:
    """Conversion instruction in `body`, the PTX text of a kernel. Exits with an error for unexpected text."""
    names: set[str] = set(re.findall(r"\bcvt\.rzi\.[su]\d+\.f\d+\b", body))
    if len(names) != 1:
        raise SystemExit(f"error: {source.cuda} to {integer.cuda}: {sorted(names)} in PTX\n{body}")
    if source.ptx == "bf16" and integer.bits == 8:
        bounds = {"s8": ("0f42FE0000", "0fC3000000"), "u8": ("0f437F0000", "0f00000000")}
        if not all(bound in body for bound in bounds[integer.ptx]):
            raise SystemExit(f"error: {source.cuda} to {integer.cuda}: no clamp in PTX\n{body}")
        return f"cvt.rzi.{integer.ptx}.f32"
    return names.pop()


def edges(source: Source) -> Iterator[int]:
    """Bit patterns of the edge values in the table, with both signs."""
    top = 1 << (source.bits - 1)
    one = source.bias << source.fraction
    nans = {source.infinity | 1, source.infinity | 1 << (source.fraction - 1)}
    exact = {0, 1, one, source.infinity - 1, source.infinity, *nans}
    exact |= {encoded(source, value) for value in (0.5, 0.75, 1.5, 2.5, 99.5, 300, 40000.0)}
    for power in (7, 8, 15, 16, 31, 32, 63, 64):
        if power > source.bias:
            continue
        bits = (source.bias + power) << source.fraction
        exact |= {bits - 1, bits, bits + 1}
    for bits in sorted(exact):
        yield from (bits, bits | top)


def encoded(source: Source, value: float) -> int:
    """Bit pattern of a number in a floating-point type, rounded towards zero."""
    (bits,) = struct.unpack("<Q", struct.pack("<d", value))
    exponent = (bits >> 52) - 1023 + source.bias
    return int(exponent << source.fraction | (bits & (1 << 52) - 1) >> 52 - source.fraction)


def truncated(source: Source, bits: int) -> int | None:
    """Integer part of the number with the given bit pattern; None for NaN, and a large number for infinity."""
    magnitude = bits & (1 << (source.bits - 1)) - 1
    if magnitude > source.infinity:
        return None
    exponent, fraction = magnitude >> source.fraction, magnitude & (1 << source.fraction) - 1
    significand = fraction | (1 << source.fraction if exponent else 0)
    shift = max(exponent, 1) - source.bias - source.fraction
    whole = significand << shift if shift >= 0 else significand >> -shift
    if magnitude == source.infinity:
        whole = 1 << 4096
    return -whole if bits >> (source.bits - 1) else whole


def converted(name: str, value: int | None, stored: int) -> int:
    """Low `stored` bits of the result of the instruction `name` for a number with the integer part `value`.

    `value` is None for NaN.
    """
    _, _, to, source = name.split(".")
    bits = int(to[1:])
    if value is None:
        wide = 1 << (bits - 1) if source == "f64" or bits == 64 else 0
    elif to[0] == "s":
        wide = min(max(value, -(1 << (bits - 1))), (1 << (bits - 1)) - 1)
    else:
        wide = min(max(value, 0), (1 << bits) - 1)
    return wide & (1 << stored) - 1


def table(nvcc: str) -> str:
    """Content of `float_to_integer.inc`: the PTX instruction and the results for each pair of types."""
    said = subprocess.run([nvcc, "--version"], check=True, capture_output=True, text=True).stdout
    version = re.search(r"release \S+, V(\S+)", said)
    lines = [
        "// CUDA's conversions of floating-point numbers to integers. Generated by",
        "// build_scripts/float_to_integer.py. The instructions are the output of nvcc",
        f"// {version[1] if version else ''} ({' '.join(COMMAND)}). "
        "The results follow from their definition in the PTX ISA.",
        "//",
        "//   VALUES(source, bits...)                   numbers of the type, as bits",
        "//   PAIR(source, integer, PTX, results...)    their conversions, as bits",
        "",
    ]
    found = instructions(nvcc)
    for source in SOURCES:
        values = list(edges(source))
        lines += call("VALUES", [source.cuda], [hexed(bits, source.bits) for bits in values])
        for integer in INTEGERS:
            name = found[source, integer]
            results = [converted(name, truncated(source, bits), integer.bits) for bits in values]
            head = [source.cuda, integer.cuda, f'"{name}"']
            lines += call("PAIR", head, [hexed(bits, integer.bits) for bits in results])
        lines.append("")
    return "\n".join(lines)


def hexed(bits: int, width: int) -> str:
    return f"0x{bits:0{width // 4}X}"


def call(macro: str, head: list[str], numbers: list[str]) -> list[str]:
    """Text of a macro call, wrapped at 100 columns."""
    lines = [f"{macro}({', '.join(head)},"]
    row = " "
    for index, number in enumerate(numbers):
        word = f" {number}{',' if index + 1 < len(numbers) else ')'}"
        if len(row) + len(word) > 100:
            lines.append(row)
            row = " "
        row += word
    return [*lines, row]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare only")
    arguments = parser.parse_args()
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        print("error: nvcc is not found\n  help: install the CUDA toolkit", file=sys.stderr)
        return 4
    text = table(nvcc)
    if arguments.check:
        return int(text != TABLE.read_text(encoding="ascii"))
    TABLE.write_text(text, encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
