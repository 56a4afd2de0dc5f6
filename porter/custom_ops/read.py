"""Reader of an `ops.yaml`; reports all errors of the file at once.

ops = read(Path("ops.yaml"), catalogue.in_wheel(site), known=names)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from porter.base import regular_files
from porter.base.errors import MappingError, Problem, did_you_mean
from porter.custom_ops import checks, overrides, schema, variants
from porter.custom_ops.checks import Mistake
from porter.custom_ops.python_module import writes_out
from porter.mapping import document, validation_errors
from porter.mapping.compile import applies
from porter.mapping.document import Document, Path_
from porter.mapping.schema import Versioned
from porter.model.custom_ops import (
    DEVICE,
    Backward,
    Binding,
    Custom,
    ExcludedOp,
    FakeResult,
    MetaSource,
    NoGradient,
    Override,
    OwnOps,
    PythonFunction,
    PythonGradient,
    Signature,
)
from porter.register import catalogue
from porter.register.catalogue import TorchgenSource

FILE = "ops.yaml"
_Entry = TypeVar("_Entry", bound=Versioned)
_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(([^()]*)\)$")
_NOTHING_BACK = re.compile(r"_(\.\w+)?\(.*->\s*\(\)\s*$")
_IN_PLACE_HELP = "an operator whose name ends in _ must return self; otherwise choose another name"
_MADE = "made"


def read(path: Path, torchgen: TorchgenSource, known: Collection[str], release: str = "") -> OwnOps:
    """Operators of an ops.yaml and their generated variants, for one release of PyTorch.

    With an empty `release`, all entries apply. `known`: names of PyTorch's operators, with overloads. Raises
    MappingError with every mistake of the file, RegisterError when torchgen fails.
    """
    doc, file = parse(path, str(path))
    reader = _Reader(doc, path.parent, release)
    texts = [entry.text for _, entry in reader.chosen(file.custom)]
    parsed = catalogue.signatures(torchgen, texts)
    ops = reader.ops(file, parsed)
    ops, problems = overrides.looked_up(ops, torchgen, known)
    if problems := [*reader.problems, *problems]:
        raise MappingError(sorted(problems, key=line_of))
    wanted = [] if ops.binding is Binding.PYBIND11 else list(variants.wanted(ops.custom))
    signatures = catalogue.signatures(torchgen, [one.text for one in wanted])
    made = [
        variants.custom(one, signature)
        for one, signature in zip(wanted, signatures, strict=True)
        if not isinstance(signature, str)
    ]
    return ops._replace(custom=(*ops.custom, *made))


def parse(path: Path, name: str) -> tuple[Document, schema.OpsFile]:
    """Document and entries of an ops.yaml. Operator schemas remain text. Messages call the file `name`.

    Raises MappingError with every malformed entry.
    """
    doc = document.read(path, name)
    try:
        return doc, schema.OpsFile.model_validate(doc.data or {})
    except ValidationError as error:
        title = "the operators"
        raise MappingError(
            validation_errors.problems(error, schema.OpsFile, doc, [], title)
        ) from None


def line_of(problem: Problem) -> int:
    """Line number at the end of a problem's place."""
    return int(problem.place.rpartition(":")[2])


class _Reader:
    """Converter from the entries of an ops.yaml to `porter.model.custom_ops`; `problems` collects the mistakes."""

    def __init__(self, doc: Document, folder: Path, release: str) -> None:
        self._doc = doc
        self._folder = folder
        self._release = release
        self._direct = False
        self.problems: list[Problem] = []

    def chosen(self, entries: Sequence[_Entry]) -> list[tuple[int, _Entry]]:
        """Entries that apply to the release, each with its index in the list."""
        numbered = enumerate(entries)
        return [(number, one) for number, one in numbered if applies(one, self._release, "")]

    def ops(self, file: schema.OpsFile, parsed: Sequence[Signature | str]) -> OwnOps:
        """Operators of all valid entries. `parsed`: signature or error message of each custom entry's schema."""
        signatures = {one.full_name: one for one in parsed if not isinstance(one, str)}
        self._all(checks.of_namespace(file.namespace), ["namespace"])
        self._direct = file.binding == "pybind11"
        if self._direct:
            self._check_direct(file)
        custom = []
        for (number, entry), signature in zip(self.chosen(file.custom), parsed, strict=True):
            if isinstance(signature, str):
                said = f"the schema does not parse: {signature or entry.text}"
                help = _IN_PLACE_HELP if _NOTHING_BACK.search(entry.text) else checks.SCHEMA_HELP
                self._wrong(said, ["custom", number, "schema"], help)
            else:
                custom.append(self._custom(entry, signature, number, signatures))
        ops = OwnOps(
            file.namespace,
            tuple(custom),
            tuple(self._override(entry, n) for n, entry in self.chosen(file.override)),
            tuple(self._left_out(file.exclude, "exclude")),
            tuple(self._left_out(file.fallback, "fallback")),
            Binding(file.binding),
        )
        self._check_once([(one.signature.full_name, one.place) for one in ops.custom])
        if self._direct:
            self._check_alone(ops.custom)
        self._check_once([(one.op, one.place) for one in ops.about_upstream])
        return ops

    def _check_direct(self, file: schema.OpsFile) -> None:
        """Report keys that are not allowed for functions of pybind11, because the keys need PyTorch's dispatcher."""
        for number, entry in self.chosen(file.custom):
            for key in ("fake", "autograd", "functional"):
                if getattr(entry, key):
                    self._refuse_direct(["custom", number, key])
            if not isinstance(entry.kernel, str) and set(entry.kernel) != {DEVICE}:
                self._refuse_direct(["custom", number, "kernel"])
        for key in ("override", "exclude", "fallback"):
            if getattr(file, key):
                self._refuse_direct([key])

    def _check_alone(self, ops: Sequence[Custom]) -> None:
        """Report duplicate names. A name may have one function, and one variant that writes to `out`."""
        first: dict[tuple[str, bool], Custom] = {}
        for op in ops:
            key = (op.signature.name, writes_out(op.signature))
            if other := first.get(key):
                text = f"'{op.signature.name}' exists at {other.place}; pybind11 functions cannot be overloaded"
                self.problems.append(
                    Problem(text, op.place, "choose another name, or write binding: library")
                )
            first.setdefault(key, op)

    def _refuse_direct(self, at: Path_) -> None:
        said = f"'{at[-1]}' is possible only for operators of PyTorch's dispatcher, not for pybind11 functions"
        self._wrong(said, at, "write binding: library")

    def _override(self, entry: schema.OverrideEntry, number: int) -> Override:
        self._all(checks.of_kernels({DEVICE: entry.kernel}), ["override", number, "kernel"])
        meta = MetaSource(entry.meta) if entry.meta else None
        return Override(entry.op, entry.kernel, meta, self._place("override", number))

    def _left_out(self, entries: Sequence[schema.LeftOutEntry], key: str) -> Iterator[ExcludedOp]:
        for number, entry in self.chosen(entries):
            yield ExcludedOp(entry.op, entry.reason, self._place(key, number))

    def _custom(
        self,
        entry: schema.CustomEntry,
        signature: Signature,
        number: int,
        signatures: Mapping[str, Signature],
    ) -> Custom:
        at: Path_ = ["custom", number]
        kernels = {DEVICE: entry.kernel} if isinstance(entry.kernel, str) else dict(entry.kernel)
        self._all(checks.of_signature(signature), [*at, "schema"])
        self._all(checks.of_kernels(kernels), [*at, "kernel"])
        if self._direct:
            self._all(checks.of_direct(signature), [*at, "schema"])
        functional = entry.functional
        given_back = [one.alias for one in signature.returns]
        if functional and not (
            all(given_back) and all(a.type == "Tensor" for a in signature.written)
        ):
            said = "`functional` needs an operator that writes to tensors and returns either these tensors or nothing"
            self._wrong(said, [*at, "functional"])
            functional = ""
        elif functional == _MADE:
            functional = variants.functional_name(signature)
        elif functional and functional not in signatures:
            help = (
                did_you_mean(functional, signatures)
                or f"name an operator of this file, or write functional: {_MADE}"
            )
            said = f"'{functional}' is not an operator of this file"
            self._wrong(said, [*at, "functional"], help)
        return Custom(
            signature,
            kernels,
            self._fake(entry, signature, at),
            self._autograd(entry, signature, at, signatures),
            functional,
            entry.expose,
            entry.doc,
            self._place("custom", number),
            entry.forms and entry.expose,
        )

    def _fake(
        self, entry: schema.CustomEntry, signature: Signature, at: Path_
    ) -> tuple[FakeResult, ...] | PythonFunction | None:
        fresh = [one for one in signature.returns if not one.alias]
        if isinstance(entry.fake, schema.PythonEntry):
            return self._python(entry.fake.python, [*at, "fake", "python"])
        if entry.fake and any(one.type != "Tensor" for one in fresh):
            help = "write the fake kernel in Python: fake: {python: FILE.py:FUNCTION}"
            self._wrong("`like` describes only results of type Tensor", [*at, "fake"], help)
        if entry.fake is None:
            if fresh and not self._direct:
                help = "write fake: {like: ARGUMENT}, with shape: if it differs, or fake: {python: FILE.py:FUNCTION}"
                self._wrong(
                    f"the entry does not describe the result of '{signature.name}'", at, help
                )
            return None
        listed = entry.fake if isinstance(entry.fake, list) else [entry.fake]
        if len(listed) != len(fresh):
            text = (
                f"'{signature.name}' has {len(fresh)} new results, but {len(listed)} are described"
            )
            self._wrong(text, [*at, "fake"])
        for one in listed:
            self._all(checks.of_fake(one.like, one.shape, signature), [*at, "fake"])
        return tuple(FakeResult(one.like, one.shape, one.dtype) for one in listed)

    def _autograd(
        self,
        entry: schema.CustomEntry,
        signature: Signature,
        at: Path_,
        signatures: Mapping[str, Signature],
    ) -> Backward | PythonGradient | NoGradient:
        if isinstance(entry.autograd, schema.PythonGradientEntry):
            function = self._python(entry.autograd.python, [*at, "autograd", "python"])
            odd = [a.name for a in signature.arguments if a.keyword_only and "Tensor" in a.type]
            if signature.written or odd:
                said = "a backward pass in Python is not possible for written tensors and keyword-only tensors"
                self._wrong(said, [*at, "autograd"])
            keeps = entry.autograd.setup
            setup = self._python(keeps, [*at, "autograd", "setup"]) if keeps else None
            return PythonGradient(function, setup)
        if not isinstance(entry.autograd, schema.BackwardEntry):
            return NoGradient(entry.autograd or NoGradient.UNSAID)
        place = [*at, "autograd", "backward"]
        call = _CALL.match(entry.autograd.backward.strip())
        if not call:
            help = "write a call: scale_backward(grad, factor)"
            self._wrong(f"`backward` is not a call: {entry.autograd.backward}", place, help)
            return NoGradient.UNSAID
        given = tuple(filter(None, (word.strip() for word in call[2].split(","))))
        found = Backward(call[1], given, tuple(entry.autograd.gradients))
        self._all(checks.of_backward(signature, found, signatures), place)
        self._all(checks.of_gradients(signature, found), [*at, "autograd", "gradients"])
        return found

    def _python(self, text: str, at: Path_) -> PythonFunction:
        file, _, name = text.partition(":")
        place = self._folder / file
        try:
            tree = ast.parse(regular_files.read_text(place))
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not UTF-8"
            self._wrong(f"{file} cannot be read: {why}", at, "write python: FILE.py:FUNCTION")
        except SyntaxError as error:
            self._wrong(f"{file}:{error.lineno} is not valid Python: {error.msg}", at)
        else:
            defined = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
            if name not in defined:
                self._wrong(f"{file} has no function '{name}'", at, did_you_mean(name, defined))
        return PythonFunction(place, name)

    def _check_once(self, entries: Sequence[tuple[str, str]]) -> None:
        first: dict[str, str] = {}
        for name, place in entries:
            if name in first:
                text = f"two entries for '{name}'; the first is at {first[name]}"
                self.problems.append(Problem(text, place))
            first.setdefault(name, place)

    def _place(self, *path: str | int) -> str:
        return f"{self._doc.file}:{self._doc.line(path)}"

    def _all(self, wrong: Iterable[Mistake], at: Path_) -> None:
        for text, help in wrong:
            self._wrong(text, at, help)

    def _wrong(self, text: str, at: Path_, help: str = "") -> None:
        self.problems.append(Problem(text, self._place(*at), help))
