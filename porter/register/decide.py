"""Registration decisions. An operator is registered if its kernel and the kernel's DispatchStubs exist.

Every operator gets a decision with a reason. The module reads and writes no files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from porter.base.globs import matches
from porter.mapping.registration import RegistrationRules
from porter.model.ops import Catalogue, Decision, KernelOrigin, Op, Unregistered
from porter.model.rules import Exclusion
from porter.register.dispatch_stubs import StubNeeds
from porter.register.exported_symbols import ProvidedSymbols


class BuildFacts(NamedTuple):
    """Facts about a build and its inputs."""

    exported: frozenset[str] | None
    """Symbols that libtorch_cpu exports; None if the library is not available."""
    provided: ProvidedSymbols | None
    """Symbols of the built objects; None if every source counts as built."""
    needs: StubNeeds | None
    """DispatchStubs that kernels need, and similar facts from the release's sources; None without sources."""
    unsupported: Mapping[str, str] = {}
    """Maps a CUDA library without a counterpart on the target to the reason."""
    not_built: Mapping[str, str] = {}
    """Maps the upstream path of a file that was not built to the reason."""
    excluded_files: tuple[Exclusion, ...] = ()
    """Patterns of upstream files that are not ported, with reasons."""
    by_hand: Mapping[tuple[str, str], str] = {}
    """Maps (dispatch key of the port, operator) to the reason why generated code must not register the operator."""


def decide(
    catalogue: Catalogue, facts: BuildFacts, rules: RegistrationRules, keys: Mapping[str, str]
) -> tuple[Decision, ...]:
    """Decisions for all operators, in the order of the catalogue.

    `keys` maps CUDA's dispatch key to the port's key. The decision for a registered operator lists the operator forms
    to register; the decision for any other operator lists all its forms.
    """
    made = (
        _decision(op, facts, rules, keys[op.key])
        if keys[op.key] in catalogue.keys
        else _without_key(op, facts, rules, keys[op.key])
        for op in catalogue.ops
    )
    return tuple(one._replace(files=_files(one, facts, rules)) for one in made)


def _without_key(op: Op, facts: BuildFacts, rules: RegistrationRules, key: str) -> Decision:
    text = f"c10/core/DispatchKey.h of the release has no {key}"
    return Decision(op, _origin(op, facts, rules), Unregistered.NO_KEY, text)


def _decision(op: Op, facts: BuildFacts, rules: RegistrationRules, key: str) -> Decision:
    origin = _origin(op, facts, rules)
    forms = tuple(form for form in op.forms if (key, form.name) not in facts.by_hand)
    if not forms:
        reasons = dict.fromkeys(facts.by_hand[key, form.name] for form in op.forms)
        return Decision(op, origin, Unregistered.BY_HAND, "; ".join(reasons))
    if reason := rules.excluded(op.kernel):
        return Decision(op, origin, Unregistered.EXCLUDED, reason)
    library = rules.library_of(op.kernel)
    if library and library in facts.unsupported:
        return Decision(
            op, origin, Unregistered.LIBRARY, f"{library}: {facts.unsupported[library]}"
        )
    if origin is KernelOrigin.OWN and facts.provided and op.symbol not in facts.provided.functions:
        return Decision(op, origin, Unregistered.NO_KERNEL, _no_kernel(op, facts))
    stubs = _stubs(op, origin, facts, rules)
    if stubs and facts.provided and (missing := sorted(stubs - facts.provided.stubs)):
        return Decision(op, origin, Unregistered.NO_STUB, _no_stub(missing, facts))
    detail = "its stubs are unknown" if stubs is None else ""
    shared = facts.needs if origin is KernelOrigin.SHARED else None
    asks = tuple(
        one._replace(reason=rules.review_of(one.function))
        for one in (shared.asks_of(op.symbol) if shared else ())
    )
    return Decision(op._replace(forms=forms), origin, detail=detail, asks=asks)


def _origin(op: Op, facts: BuildFacts, rules: RegistrationRules) -> KernelOrigin:
    """Origin of a kernel: built objects or libtorch_cpu.

    Built objects have precedence, because the linker prefers them.
    """
    if facts.provided and op.symbol in facts.provided.functions:
        return KernelOrigin.OWN
    if said := rules.origin_of(op.kernel):
        return KernelOrigin(said)
    if facts.exported is not None:
        return KernelOrigin.SHARED if op.symbol in facts.exported else KernelOrigin.OWN
    # Without libtorch_cpu, the release's sources decide.
    shared = facts.needs is not None and facts.needs.of(op.symbol) is not None
    return KernelOrigin.SHARED if shared else KernelOrigin.OWN


def _stubs(
    op: Op, origin: KernelOrigin, facts: BuildFacts, rules: RegistrationRules
) -> frozenset[str] | None:
    """DispatchStubs that the kernel needs; None if they are unknown."""
    if (said := rules.stubs_of(op.kernel)) is not None:
        return said
    if origin is KernelOrigin.OWN:
        return frozenset()
    return facts.needs.of(op.symbol) if facts.needs else None


def _files(decision: Decision, facts: BuildFacts, rules: RegistrationRules) -> tuple[str, ...]:
    """Upstream paths of a kernel's device code, as far as the release's sources tell."""
    if facts.needs is None:
        return ()
    if decision.origin is KernelOrigin.OWN:
        file = facts.needs.file_of(decision.op.symbol)
        return (file,) if file else ()
    stubs = _stubs(decision.op, decision.origin, facts, rules) or ()
    return tuple(sorted({facts.needs.filled[stub] for stub in stubs if stub in facts.needs.filled}))


def _no_kernel(op: Op, facts: BuildFacts) -> str:
    file = facts.needs.file_of(op.symbol) if facts.needs else None
    return f"{op.symbol} of {file}: {_why(file, facts)}" if file else f"{op.symbol} is in no object"


def _no_stub(missing: list[str], facts: BuildFacts) -> str:
    filled = facts.needs.filled if facts.needs else {}
    return "; ".join(
        f"{stub} of {filled[stub]}: {_why(filled[stub], facts)}" if stub in filled else stub
        for stub in missing
    )


def _why(file: str, facts: BuildFacts) -> str:
    """Reason why the built objects do not contain an upstream file."""
    if known := facts.not_built.get(file):
        return known
    reasons = (entry.reason for entry in facts.excluded_files if matches(file, [entry.glob]))
    return next(reasons, "not built")
