"""Checks of one operator with one dtype: results on the device are compared with results on the CPU."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple
from unittest import mock

import torch
from torch.testing._internal.common_device_type import onlyCPU

from .units import BACKWARD, EMPTY, ERRORS, FORWARD, IN_PLACE, OUT, STRIDED, OperatorUnit
from .values import WIDER, compare, rounding, same_kind, tensors, to

UNDETERMINED = frozenset(
    [
        *("empty", "empty_like", "empty_permuted", "empty_strided", "new_empty"),
        *("new_empty_strided", "nn.functional.fractional_max_pool2d"),
        "nn.functional.fractional_max_pool3d",
    ]
)
"""Operators whose results are uninitialised memory, or depend on random numbers for some samples only."""
TIES = frozenset(["sort", "topk", "median", "nanmedian", "kthvalue", "mode"])
"""Operators that choose one of several equal elements. Only values are compared, not indices and gradients."""

ON_THE_CPU = frozenset(["tensor_split"])
"""Operators for which all arguments but the first stay on the CPU."""
_UPSTREAM = {
    FORWARD: ("TestCommon", "test_compare_cpu"),
    OUT: ("TestCommon", "test_out"),
    IN_PLACE: ("TestCommon", "test_variant_consistency_eager"),
    BACKWARD: ("TestBwdGradients", "test_fn_grad"),
    STRIDED: ("TestCommon", "test_noncontiguous_samples"),
    ERRORS: ("TestCommon", "test_errors"),
}
"""Maps a check to PyTorch's test of the same property (in test/test_ops.py, test/test_ops_gradients.py)."""


class NoSample(Exception):
    """Exception for a check that has no sample to test; the text gives the reason."""


class Reference(NamedTuple):
    """A sample and the CPU's result for it."""

    sample: Any
    result: Any
    gradients: list[torch.Tensor | None]


class Checks:
    """All checks of one unit.

    A check raises AssertionError for a wrong result, and does not catch exceptions that the device raises.
    """

    def __init__(self, unit: OperatorUnit, device: str, count: int) -> None:
        """`count` is the number of samples for each check, selected evenly from the samples in the database."""
        self.unit = unit
        self.device = device
        self.count = count
        self.op = unit.op
        self.wider = unit.dtype in WIDER
        self.compare: Callable[..., None] = compare
        self._references: list[Reference] | None = None
        self._made: dict[bool, list[Any]] = {}

    def run(self, check: str) -> None:
        """Run one check. Raises NoSample if the check has no sample to test."""
        work = {
            FORWARD: self._forward,
            STRIDED: self._strided,
            EMPTY: self._empty,
            OUT: self._out,
            IN_PLACE: self._in_place,
            BACKWARD: self._backward,
            ERRORS: self._errors,
        }[check]
        # Operators may emit warnings; the checks do not compare them.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            work()

    def _forward(self) -> None:
        for reference in self._all():
            self._hold(self._result(reference.sample), reference)

    def _strided(self) -> None:
        for reference in self._all():
            if any(tensor.layout != torch.strided for tensor in _given(reference.sample)):
                raise NoSample("samples are sparse")
            self._hold(self._result(reference.sample.noncontiguous()), reference)

    def _empty(self) -> None:
        samples = [
            sample
            for sample in self._samples(grad=False)
            if any(tensor.numel() == 0 for tensor in _given(sample))
        ]
        if not samples:
            raise NoSample("the database has no empty sample")
        for reference in self._references_of(samples[: self.count]):
            self._hold(self._result(reference.sample), reference)

    def _out(self) -> None:
        tried = 0
        for reference in self._all():
            if "out" in reference.sample.kwargs:
                continue
            first, args, kwargs = self._there(reference.sample, grad=False)
            plain = self.op.op(first, *args, **kwargs)
            if not _made_of_tensors(plain):
                continue
            tried += 1
            for made in (torch.empty_like, _emptied):
                out = _each(plain, made)
                given = self.op.op(first, *args, **kwargs, out=out)
                self._hold(self._processed(reference.sample, out), reference)
                # The operator must return the given tensors, or nothing.
                for one, other in zip(tensors(given), tensors(out), strict=given is not None):
                    assert one.data_ptr() == other.data_ptr(), (
                        "the operator does not return the tensor given as out="
                    )
        if not tried:
            raise NoSample("no sample whose result consists of tensors only")

    def _in_place(self) -> None:
        function = self.op.get_inplace()
        tried = 0
        for reference in self._all():
            sample, right = reference.sample, reference.result
            if sample.broadcasts_input or not isinstance(right, torch.Tensor):
                continue
            first, args, kwargs = self._there(sample, grad=False)
            expected = WIDER.get(self.unit.dtype, self.unit.dtype)
            if not isinstance(first, torch.Tensor) or right.dtype != expected:
                continue
            if right.shape != first.shape:
                continue
            tried += 1
            changed = first.clone()
            function(changed, *args, **kwargs)
            self._hold(self._processed(sample, changed), reference)
        if not tried:
            raise NoSample("no sample whose result has the shape and dtype of its input")

    def _backward(self) -> None:
        tried = 0
        for reference in self._all():
            if not reference.gradients:
                continue
            tried += 1
            found = self._gradients(*self._there(reference.sample), reference.sample)
            step = rounding(reference.result)
            for number, (one, other) in enumerate(zip(found, reference.gradients, strict=True)):
                assert (one is None) == (other is None), "only one of device and CPU has a gradient"
                if one is not None:
                    self._hold(one, reference, _gradient(number), step)
        if not tried:
            raise NoSample("no sample with a gradient")

    def _errors(self) -> None:
        for expected in self.op.error_inputs(self.device):
            sample = expected.sample_input
            try:
                result = self.op.op(sample.input, *sample.args, **sample.kwargs)
                if result is NotImplemented:  # Python itself raises an error for this input.
                    continue
                torch.get_device_module(self.device).synchronize()
            except expected.error_type as error:
                assert re.search(expected.error_regex, str(error)), (
                    f"the error says {str(error).splitlines()[0]!r}, not {expected.error_regex!r}"
                )
            else:
                raise AssertionError(f"no error; expected one that says {expected.error_regex!r}")

    def switched_off(self, check: str) -> str | None:
        """Reason why PyTorch's own test of the same property is disabled for CUDA; None if the test is enabled."""
        if onlyCPU in self.op.decorators:
            return "it runs on the CPU only"
        if check not in _UPSTREAM:
            return None
        decorators = self.op.get_decorators(*_UPSTREAM[check], "cuda", self.unit.dtype, {})
        for decorator in decorators:

            def probe(_self: object) -> None:
                pass

            decorated = decorator(probe)
            if getattr(decorated, "__unittest_skip__", False):
                return str(getattr(decorated, "__unittest_skip_why__", "")) or "skipped"
            if getattr(decorated, "__unittest_expecting_failure__", False):
                return "expected to fail"
        return None

    # -- comparison of results

    def _hold(
        self,
        found: Any,
        reference: Reference,
        part: Callable[[Reference], Any] = lambda reference: reference.result,
        step: float = 0.0,
    ) -> None:
        """Compare a result with the part of the reference that `part` selects, by default the reference's result.

        For a 16-bit dtype, the reference is computed in 32 bits; a result that equals the CPU's 16-bit result is
        correct too.
        """
        try:
            self.compare(found, part(reference), step)
        except AssertionError as wrong:
            if not self.wider:
                raise
            try:
                self.compare(found, part(self._reference(reference.sample, wider=False)), step)
            except (AssertionError, NoSample, IndexError):
                raise wrong from None

    def _all(self) -> list[Reference]:
        if self._references is None:
            samples = _spread(self._samples(grad=self.unit.differentiable()), self.count)
            if not samples:
                raise NoSample("the database has no sample")
            self._references = self._references_of(samples)
        return self._references

    def _samples(self, grad: bool) -> list[Any]:
        """All samples of the database. They are kept, because two checks use them and their creation takes long."""
        if grad in self._made:
            return self._made[grad]
        torch.manual_seed(0)
        try:
            made = list(self.op.sample_inputs("cpu", self.unit.dtype, requires_grad=grad))
        except (RuntimeError, NotImplementedError) as error:
            raise NoSample(
                f"the CPU cannot create the samples: {str(error).splitlines()[0]}"
            ) from None
        return self._made.setdefault(grad, made)

    def _references_of(self, samples: list[Any]) -> list[Reference]:
        references = [self._reference(sample, wider=self.wider) for sample in samples]
        if self.op.name in UNDETERMINED or any(map(self._is_random, samples)):
            self.compare = same_kind
        return references

    def _reference(self, sample: Any, *, wider: bool) -> Reference:
        torch.manual_seed(0)
        try:
            first, args, kwargs = _moved(sample, "cpu", wider)
            with torch.no_grad():
                result = self._processed(sample, self.op.op(first, *args, **kwargs))
            first, args, kwargs = _moved(sample, "cpu", wider)
            gradients = self._gradients(first, args, kwargs, sample)
        except (RuntimeError, NotImplementedError) as error:
            text = str(error).splitlines()[0]
            raise NoSample(f"the CPU cannot compute a reference result: {text}") from None
        return Reference(sample, result, gradients)

    def _is_random(self, sample: Any) -> bool:
        """Test whether the CPU's result changes with the seed."""
        results = []
        seeded = torch.manual_seed
        for more in (1, 2, 3):
            first, args, kwargs = _moved(sample, "cpu", self.wider)
            # The operator may be a Python function of the database that calls torch.manual_seed itself.
            with mock.patch.object(
                torch, "manual_seed", lambda seed, more=more: seeded(seed + more)
            ):
                torch.manual_seed(0)
                results.append(self.op.op(first, *args, **kwargs))
        try:
            compare(results[1], results[0])
            compare(results[2], results[0])
        except AssertionError:
            return True
        return False

    def _result(self, sample: Any) -> Any:
        first, args, kwargs = self._there(sample, grad=False)
        return self._processed(sample, self.op.op(first, *args, **kwargs))

    def _processed(self, sample: Any, result: Any) -> Any:
        """Part of a result that is mathematically determined, for example eigenvectors without their signs.

        For most operators, a function of the operator database extracts this part.
        """
        if self.op.name in TIES and isinstance(result, tuple):
            return result[0]
        if self.op.name == "argsort" and not sample.kwargs.get("stable"):
            dim = sample.kwargs.get("dim", sample.args[0] if sample.args else -1)
            return sample.input.detach().gather(dim, result.cpu())
        return sample.output_process_fn_grad(result)

    def _there(self, sample: Any, grad: bool = True) -> tuple[Any, Any, Any]:
        first, args, kwargs = _moved(sample, self.device, wider=False)
        if self.op.name in ON_THE_CPU:
            args, kwargs = sample.args, sample.kwargs
        if not grad:
            for tensor in tensors([first, args, kwargs]):
                tensor.requires_grad_(False)
        return first, args, kwargs

    def _gradients(self, first: Any, args: Any, kwargs: Any, sample: Any) -> list[Any]:
        leaves = [leaf for leaf in tensors([first, args, kwargs]) if leaf.requires_grad]
        if not leaves or not self.unit.differentiable():
            return []
        with torch.set_grad_enabled(True):
            result = self._processed(
                sample, self.op.gradcheck_wrapper(self.op.op, first, *args, **kwargs)
            )
            parts = [
                _loss(out)
                for out in map(_widened, tensors(result))
                if out.requires_grad and (out.dtype.is_floating_point or out.dtype.is_complex)
            ]
            if not parts:
                return []
            return list(torch.autograd.grad(sum(parts[1:], parts[0]), leaves, allow_unused=True))


def _gradient(number: int) -> Callable[[Reference], Any]:
    return lambda reference: reference.gradients[number]


def _moved(sample: Any, device: str, wider: bool) -> tuple[Any, Any, Any]:
    return tuple(to(device, part, wider) for part in (sample.input, sample.args, sample.kwargs))


def _given(sample: Any) -> list[torch.Tensor]:
    return list(tensors([sample.input, sample.args, sample.kwargs]))


def _widened(out: torch.Tensor) -> torch.Tensor:
    """Copy of a tensor in a wider dtype, so that the sum of the elements does not overflow."""
    return out.to(WIDER.get(out.dtype, out.dtype))


def _loss(out: torch.Tensor) -> torch.Tensor:
    """Real number that is linear in the elements of `out`.

    The elements have different weights, so that a transposed gradient is detected. Real and imaginary parts have
    different weights, so that a conjugated gradient is detected. The gradient with respect to `out` does not depend on
    `out`, whose rounding errors may be large: the gradient of the absolute value of a sum is the sum's phase, and the
    terms of the sum may cancel.
    """
    total = (out * _slope(out)).sum()
    return total.real + 0.5 * total.imag if total.is_complex() else total


def _slope(out: torch.Tensor) -> torch.Tensor:
    """Tensor of weights, one for each element of `out`. The weights are the same on every device."""
    factors = torch.linspace(0.5, 1.5, max(out.numel(), 1))[: out.numel()].reshape(out.shape)
    return factors.to(out.device).to(out.dtype)


def _made_of_tensors(result: Any) -> bool:
    if isinstance(result, (list, tuple)):
        return len(result) > 0 and all(isinstance(item, torch.Tensor) for item in result)
    return isinstance(result, torch.Tensor)


def _each(result: Any, make: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    if isinstance(result, torch.Tensor):
        return make(result)
    return tuple(make(item) for item in result)


def _emptied(tensor: torch.Tensor) -> torch.Tensor:
    return torch.empty(0, dtype=tensor.dtype, device=tensor.device)


def _spread(samples: list[Any], count: int) -> list[Any]:
    """`count` samples, selected evenly. The last sample is included, because the last samples are often unusual."""
    if len(samples) <= count:
        return samples
    step = (len(samples) - 1) / max(count - 1, 1)
    return [samples[round(index * step)] for index in range(count)]
