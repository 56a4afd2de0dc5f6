"""Writer of a new operator project with a working kernel and tests of the kernel's results."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from porter.base import templates
from porter.base.errors import Problem, SourceError, UsageError
from porter.custom_ops import checks, cpp
from porter.custom_ops.python_module import default, writes_out
from porter.model.custom_ops import Argument, Signature
from porter.register import catalogue
from porter.register.catalogue import TorchgenSource

_TEMPLATES = "op_project"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_RENAMED = {"gitignore": ".gitignore"}
_SIZED = re.compile(r"(?P<of>int|SymInt|float|bool)\[(?P<count>\d+)\]")
_VALUES = {
    "int": "2",
    "SymInt": "2",
    "float": "1.5",
    "bool": "True",
    "str": '"text"',
    "Scalar": "2",
    "ScalarType": "torch.float32",
    "Device": "torch.device(DEVICE)",
    "int[]": "[1, 2]",
    "SymInt[]": "[1, 2]",
    "float[]": "[1.0, 2.0]",
    "bool[]": "[True, False]",
}
"""Maps the type of an argument to an example value in the generated tests."""


class ProjectNames(NamedTuple):
    """Names of a project, and its target."""

    name: str
    """Name of the folder and of the namespace: `torch.ops.<name>`."""
    target: str
    device: str
    binding: str
    """`library` or `pybind11`."""


def create(
    folder: Path, names: ProjectNames, schemas: Sequence[str], torchgen: TorchgenSource
) -> list[Path]:
    """Write a project with a kernel for each schema and return its files.

    A schema without a name gets the project's name. Raises UsageError with every invalid name and schema,
    SourceError when the folder exists and is not empty.
    """
    if not _NAME.fullmatch(names.name):
        help = "use small letters, digits and _, and begin with a letter"
        raise UsageError(f"'{names.name}' is not a valid name for a project", help=help)
    if wrong := list(checks.of_namespace(names.name)):
        raise UsageError(Problem(text, help=help) for text, help in wrong)
    texts = [text if text[:1] != "(" else names.name + text for text in map(str.strip, schemas)]
    direct = names.binding == "pybind11"
    ops = [_Op(names.name, one, direct) for one in _parsed(texts, torchgen, direct)]
    if folder.exists() and any(folder.iterdir()):
        raise SourceError("the folder exists and is not empty", str(folder), "choose another --out")
    environment = templates.environment(_TEMPLATES)
    values = {**names._asdict(), "ops": ops}
    written = []
    for name in environment.list_templates(["jinja"]):
        inside = Path(name).with_suffix("")
        to = folder / inside.with_name(_RENAMED.get(inside.name, inside.name))
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(environment.get_template(name).render(values), encoding="utf-8")
        written.append(to)
    return written


def _parsed(texts: Sequence[str], torchgen: TorchgenSource, direct: bool) -> list[Signature]:
    found = catalogue.signatures(torchgen, texts)
    problems = []
    for text, signature in zip(texts, found, strict=True):
        if isinstance(signature, str):
            said = f"the schema does not parse: {signature or text}"
            problems.append(Problem(said, help=checks.SCHEMA_HELP))
            continue
        wrong = [*checks.of_signature(signature), *(checks.of_direct(signature) if direct else ())]
        problems += [Problem(f"'{text}': {said}", help=help) for said, help in wrong]
        if why := _why_no_skeleton(signature, direct):
            problems.append(Problem(f"no example can be generated for '{text}': {why}"))
    names = [one.full_name for one in found if isinstance(one, Signature)]
    for name in sorted({name for name in names if names.count(name) > 1}):
        problems.append(Problem(f"duplicate schema '{name}'"))
    if problems:
        raise UsageError(problems)
    return [one for one in found if isinstance(one, Signature)]


def _why_no_skeleton(signature: Signature, direct: bool) -> str:
    if direct and (signature.overload or writes_out(signature)):
        return "an overload or `out` variant must be added in ops.yaml"
    if not any(a.type in ("Tensor", "Tensor[]") for a in signature.arguments):
        return "it has no tensor to compute from"
    odd = [one.type for one in signature.returns if one.type != "Tensor"]
    if odd:
        return f"its result has the type {odd[0]}"
    if any(a.type != "Tensor" for a in signature.written):
        return "it writes to a list or to an optional tensor"
    return ""


@dataclass(frozen=True)
class _Op:
    """Template variables of one operator."""

    project: str
    signature: Signature
    direct: bool
    """True when pybind11 binds the operator."""

    @property
    def quoted_schema(self) -> str:
        text = self.signature.text
        return json.dumps(text) if re.search(r"[:#'\"]", text) else text

    @property
    def word(self) -> str:
        return self.signature.full_name.replace(".", "_")

    @property
    def kernel(self) -> str:
        return self.word

    @property
    def call(self) -> str:
        return f"{self.signature.name}.{self.signature.overload or 'default'}"

    @property
    def called(self) -> str:
        """Python expression of the operator's function."""
        if self.direct:
            return f"{self.project}.{self.signature.name}"
        return f"torch.ops.{self.project}.{self.call}"

    @property
    def arguments(self) -> str:
        return cpp.plain_arguments(self.signature)

    @property
    def source(self) -> Argument:
        """Argument from which the example kernel computes."""
        return next(a for a in self.signature.arguments if a.type in ("Tensor", "Tensor[]"))

    @property
    def first(self) -> str:
        """C++ expression of the tensor from which the example kernel computes."""
        return self.source.name if self.source.type == "Tensor" else f"{self.source.name}[0]"

    @property
    def fake(self) -> str:
        """YAML value of the key `fake`: shapes and dtypes of new results.

        Empty if there are no new results, or if pybind11 binds the operator.
        """
        if self.direct:
            return ""
        one = f'{{like: "{self.first}", shape: "{self.first}.shape"}}'
        fresh = sum(not one.alias for one in self.signature.returns)
        return one if fresh == 1 else f"[{', '.join([one] * fresh)}]" if fresh else ""

    @property
    def functional(self) -> str:
        """Value of the key `functional`: `made` for an operator that writes to tensors, else empty.

        torch.compile requires a functional variant of such an operator.
        """
        written = any(one.alias for one in self.signature.returns)
        return "made" if written and not self.direct else ""

    @property
    def body(self) -> list[str]:
        """C++ lines of the example kernel.

        New results are computed first, because they may depend on an argument that the kernel then overwrites.
        """
        lines, values = [], []
        for number, one in enumerate(self.signature.returns):
            if not one.alias:
                lines.append(f"at::Tensor result{number} = compute({self.first});")
            values.append(one.alias or f"result{number}")
        lines += [f"{a.name}.copy_(compute({a.name}));" for a in self.signature.written]
        if values:
            lines.append(
                f"return {values[0] if len(values) == 1 else '{' + ', '.join(values) + '}'};"
            )
        return lines

    @property
    def sample(self) -> str:
        """Python text of example arguments: a tuple of the positional and a dictionary of the keyword arguments."""
        return self._sample("torch.randn(rows, 2048, device=DEVICE).to(dtype)")

    @property
    def small_sample(self) -> str:
        """Same as `sample`, with small tensors."""
        return self._sample("torch.ones(2, 3, device=DEVICE)")

    def _sample(self, tensor: str) -> str:
        values = [_value(a, tensor) for a in self.signature.arguments if not a.keyword_only]
        named = [a for a in self.signature.arguments if a.keyword_only]
        by_name = ", ".join(f'"{a.name}": {_value(a, tensor)}' for a in named)
        return f"({', '.join(values)}{',' if len(values) == 1 else ''}), {{{by_name}}}"

    @property
    def check(self) -> list[str]:
        """Python lines of the generated test: they call the operator and compare its results."""
        written = self.signature.written
        of = self._given(self.source) + ("[0]" if self.source.type == "Tensor[]" else "")
        lines = [f"expected = reference({of})"]
        for argument in written:
            lines.append(f"expected_{argument.name} = reference({self._given(argument)})")
        lines.append(f"result = {self.called}(*arguments, **named)")
        several = len(self.signature.returns) > 1
        for index, one in enumerate(self.signature.returns):
            if not one.alias:
                own = f"result[{index}]" if several else "result"
                lines.append(f"torch.testing.assert_close({own}.cpu(), expected)")
        for argument in written:
            given, expected = self._given(argument), f"expected_{argument.name}"
            lines.append(f"torch.testing.assert_close({given}.cpu(), {expected})")
        return lines

    def _given(self, argument: Argument) -> str:
        """Python expression of an argument in the generated test."""
        if argument.keyword_only:
            return f'named["{argument.name}"]'
        return f"arguments[{self.signature.arguments.index(argument)}]"


def _value(argument: Argument, tensor: str) -> str:
    kind = re.sub(r"\[\d+\]", "[]", argument.type)
    if kind in ("Tensor", "Tensor?"):
        return tensor
    if kind == "Tensor[]":
        return f"[{tensor}, {tensor}]"
    if argument.default is not None:
        return default(argument)
    if kind.endswith("?"):
        return "None"
    if sized := _SIZED.fullmatch(argument.type):
        return f"[{', '.join([_VALUES[sized['of']]] * int(sized['count']))}]"
    return _VALUES.get(kind, "None")
