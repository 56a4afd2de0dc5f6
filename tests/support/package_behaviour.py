"""Tests of `torch.<device>` with the binding of tests/support/package_binding.py.

test_package_python.py runs these tests in a separate process, because a process can rename torch's backend only once.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch_acme
from torch_acme import _C, _libraries, _torch_check

acme: Any = torch.acme  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Reset the package to its state before the first use."""
    monkeypatch.setattr(torch_acme._lazy, "_initialized", False)
    monkeypatch.setattr(
        _C, "state", {**_C.state, "current": 0, "forked": False, "streams": {}, "counts": {}}
    )
    _C.calls.clear()
    torch_acme._lazy._queued.clear()
    yield


def asked(name: str) -> list[tuple[Any, ...]]:
    return [call for call in _C.calls if call[0] == name]


def test_the_device_has_its_name_everywhere() -> None:
    assert torch._C._get_privateuse1_backend_name() == "acme"
    assert acme is torch_acme and sys.modules["torch.acme"] is torch_acme
    import torch.acme.amp as amp  # type: ignore[import-not-found]

    assert amp is torch_acme.amp
    assert torch.get_device_module("acme") is torch_acme
    for kind in (torch.Tensor, torch.nn.Module, torch.nn.utils.rnn.PackedSequence):
        assert hasattr(kind, "acme")
    for kind in (torch.Tensor, torch.UntypedStorage, torch.TypedStorage):
        assert hasattr(kind, "is_acme")
    assert torch_acme.ACMEGraph is acme.Graph


def test_nothing_starts_the_device_but_its_use() -> None:
    assert acme.is_available() and acme.device_count() == 2
    assert acme.memory_allocated() == 0 and acme.memory_stats() == {}
    acme.empty_cache()
    torch.manual_seed(1)
    acme.set_rng_state(torch.Generator().get_state())
    assert acme.default_generators == ()
    assert not acme.is_initialized() and not acme._initialized
    assert not asked("init")
    acme.init()
    assert acme.is_initialized() and acme._initialized
    assert len(acme.default_generators) == 2
    acme.synchronize()
    assert len(asked("init")) == 1


def test_seeds_given_before_first_use_count() -> None:
    for seed in range(20):
        torch.manual_seed(seed)
    assert len(torch_acme._lazy._queued) == 1, "only the last one is kept"
    acme.init()
    assert asked("manual_seed_all") == [("manual_seed_all", 19)]
    assert acme.initial_seed() == 19
    acme.manual_seed(5)
    assert [generator.initial_seed() for generator in acme.default_generators] == [5, 19]


def test_the_later_of_two_waiting_seeds_wins() -> None:
    acme.manual_seed(1)
    acme.manual_seed_all(2)
    acme.manual_seed(3)
    acme.init()
    assert [generator.initial_seed() for generator in acme.default_generators] == [3, 2]


def test_a_waiting_call_that_fails_says_who_asked() -> None:
    def fails() -> None:
        raise RuntimeError("no such luck")

    acme._lazy_call(fails)
    with pytest.raises(acme.DeferredCallError, match="no such luck") as error:
        acme.init()
    assert "test_a_waiting_call_that_fails" in str(error.value)
    assert not acme.is_initialized()


def test_a_waiting_call_may_use_the_device() -> None:
    seen = []
    acme._lazy_call(lambda: seen.append(acme.current_device()))
    acme._lazy_call(lambda: acme.manual_seed_all(7))
    acme.init()
    assert seen == [0]
    assert acme.initial_seed() == 7


def test_a_forked_child_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    acme.init()
    monkeypatch.setitem(_C.state, "forked", True)
    assert not acme.is_initialized()
    with pytest.raises(RuntimeError, match=r"forked subprocess.*spawn"):
        acme.current_device()
    before = list(_C.calls)
    torch.manual_seed(3)  # In a forked child, this call has no effect and is not an error.
    assert _C.calls == before


@pytest.mark.parametrize("given", [1, "acme:1", torch.device("acme:1")])
def test_devices_by_any_name(given: Any) -> None:
    with acme.device(given):
        assert acme.current_device() == 1
        with acme.device(None):
            assert acme.current_device() == 1
        with acme.device("acme:0"):
            assert acme.current_device() == 0
        with acme.device("cpu"):
            assert acme.current_device() == 1
    assert acme.current_device() == 0
    acme.set_device(given)
    assert acme.current_device() == 1
    assert acme._utils._get_device_index("acme", True) == 1


@pytest.mark.parametrize("given", ["cuda:0", "cpu"])
def test_devices_of_other_types(given: str) -> None:
    with pytest.raises(ValueError, match=f"^Expected a acme device, but got: {given}$"):
        acme.set_device(given)


@pytest.mark.parametrize("given", ["acme", None])
def test_what_names_no_device(given: str | None) -> None:
    with pytest.raises(ValueError, match=r"^expected a device with an index"):
        acme.set_device(given)


def test_a_device_that_is_not_there() -> None:
    with pytest.raises(AssertionError, match="invalid device index 2: there are 2"):
        acme.get_device_properties(2)
    assert acme.get_device_name("acme:1") == "in memory"
    assert acme.get_device_capability() == (7, 0)
    assert acme.is_bf16_supported() and not acme.is_bf16_supported(including_emulation=False)
    assert acme.can_device_access_peer(0, 1) and not acme.can_device_access_peer(1, 1)


def test_device_of_other_tensors_changes_nothing() -> None:
    with acme.device_of(torch.empty(2)):
        assert acme.current_device() == 0


def test_synchronize_is_for_one_device() -> None:
    acme.synchronize("acme:1")
    assert asked("synchronize") == [("synchronize", 1)]
    assert acme.current_device() == 0


def test_sync_debug_modes() -> None:
    acme.set_sync_debug_mode("error")
    assert acme.get_sync_debug_mode() == 2
    with pytest.raises(RuntimeError, match="one of"):
        acme.set_sync_debug_mode("loud")


def test_streams() -> None:
    stream = acme.Stream("acme:1", priority=-1)
    assert isinstance(stream, torch.Stream) and type(stream) is acme.Stream
    assert stream.device == torch.device("acme:1") and stream.priority == -1
    assert stream.acme_stream == 0x1009 and "acme_stream=0x1009" in repr(stream)
    same = acme.Stream(stream_id=9, device_index=1, device_type=stream.device_type)
    assert same == stream and hash(same) == hash(stream)
    assert acme.default_stream() != stream


def test_a_stream_is_current_within_its_context() -> None:
    first, second = acme.Stream(0), acme.Stream("acme:1", priority=-1)
    with acme.stream(first):
        assert acme.current_stream() == first
        with acme.stream(second):
            assert acme.current_stream() == second and acme.current_device() == 1
        assert acme.current_stream() == first and acme.current_device() == 0
        assert acme.current_stream(1) == acme.default_stream(1)
        with acme.stream(None):
            assert acme.current_stream() == first
    assert acme.current_stream() == acme.default_stream()


def test_memory() -> None:
    acme.init()
    assert acme.memory_allocated() == 3 << 20 and acme.max_memory_allocated() == 5 << 20
    stats = acme.memory_stats()
    assert stats["allocated_bytes.all.peak"] == 5 << 20 and stats["num_ooms"] == 1
    assert acme.memory_reserved() == 0, "a counter that the binding does not have"
    assert acme.mem_get_info() == (1 << 29, 1 << 30)
    acme.reset_peak_memory_stats("acme:1")
    assert asked("reset_peak") == [("reset_peak", 1)]
    acme.set_per_process_memory_fraction(0.5)
    assert acme.get_per_process_memory_fraction() == 0.5
    with pytest.raises(ValueError, match="from 0 to 1"):
        acme.set_per_process_memory_fraction(1.5)
    with pytest.raises(TypeError):
        acme.set_per_process_memory_fraction(1)


def test_the_memory_summary_is_for_people() -> None:
    acme.init()
    summary = acme.memory_summary(abbreviated=True)
    row = next(line for line in summary.splitlines() if line.startswith("allocated memory"))
    assert row.split()[2:] == ["3.0", "MiB", "5.0", "MiB", "9.0", "MiB", "6.0", "MiB"]
    assert "out of memory: 1" in summary
    assert len(acme.memory_summary().splitlines()) > len(summary.splitlines())


def test_random_state_goes_out_and_back() -> None:
    acme.manual_seed_all(11)
    states = acme.get_rng_state_all()
    expected = torch.rand(4, generator=acme.default_generators[1])
    assert not torch.equal(states[1], acme.get_rng_state("acme:1"))
    acme.set_rng_state_all(states)
    assert torch.equal(torch.rand(4, generator=acme.default_generators[1]), expected)


def test_fork_rng_of_torch_knows_the_device() -> None:
    acme.init()
    with torch.random.fork_rng(devices=[0, 1], device_type="acme"):
        before = acme.initial_seed()
        acme.manual_seed(before + 1)
        torch.rand(4, generator=acme.default_generators[0])
    assert acme.initial_seed() == before


def test_seed_draws_another_seed() -> None:
    acme.init()
    acme.seed_all()
    first = [generator.initial_seed() for generator in acme.default_generators]
    assert first[0] == first[1]
    acme.seed()
    assert acme.initial_seed() != first[0]


def test_amp_has_what_torch_asks_of_it() -> None:
    assert acme.get_amp_supported_dtype() == [torch.float16, torch.bfloat16]
    with acme.amp.autocast():
        assert torch.is_autocast_enabled("acme")
        assert torch.get_autocast_dtype("acme") == torch.float16
    with torch.autocast("acme", dtype=torch.bfloat16):
        assert torch.get_autocast_dtype("acme") == torch.bfloat16
    assert not torch.is_autocast_enabled("acme")
    with (
        pytest.warns(UserWarning, match="target dtype is not supported"),
        torch.autocast("acme", dtype=torch.float64),
    ):
        pass
    assert acme.amp.GradScaler(enabled=False)._device == "acme"


def test_a_graph_is_recorded_on_a_stream_of_its_own() -> None:
    recorded = acme.Graph()
    with acme.graph(recorded, pool=(0, 1)):
        assert acme.current_stream() != acme.default_stream()
    assert acme.current_stream() == acme.default_stream()
    assert [call[0] for call in _C.calls[-2:]] == ["capture_begin", "capture_end"]
    assert asked("capture_begin") == [("capture_begin", (0, 1), "global", 8)]


def test_metrics_say_what_fell_back() -> None:
    _C.state["counts"].update({"aten::b": 1, "aten::a": 1, "aten::often": 5})
    assert list(acme.metrics().items()) == [("aten::often", 5), ("aten::a", 1), ("aten::b", 1)]
    acme.reset_metrics()
    assert acme.metrics() == {}


def test_fallback_may_be_forbidden_for_a_while() -> None:
    assert acme.fallback_allowed()
    with pytest.raises(ZeroDivisionError), acme.no_fallback():
        assert not acme.fallback_allowed()
        raise ZeroDivisionError
    assert acme.fallback_allowed()


def test_another_torch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_torch_check, "TORCH_VERSION", "9.9.9")
    with pytest.raises(
        ImportError, match=r"for torch 9\.9\.9.*\n  help: pip install torch==9\.9\.9"
    ):
        _libraries.load()


@pytest.mark.parametrize(
    ("classes", "words"),
    [
        (1, "in which c10::MessageLogger has another layout"),
        (2, "in which c10::MessageLogger and 1 more class have another layout"),
        (23, "in which c10::MessageLogger and 22 more classes have another layout"),
    ],
)
def test_a_known_release_with_another_layout_is_named_with_the_class(
    monkeypatch: pytest.MonkeyPatch, classes: int, words: str
) -> None:
    monkeypatch.setattr(torch, "__version__", "2.10.0+cu130")
    monkeypatch.setattr(_torch_check, "TORCH_VERSION", "2.9.1")
    monkeypatch.setattr(_torch_check, "DIFFERENCES", {"2.10.0": (classes, "c10::MessageLogger")})
    with pytest.raises(ImportError) as refused:
        _libraries.load()
    assert str(refused.value) == (
        "this build of device 'acme' is for torch 2.9.1, and torch 2.10.0+cu130 is installed, "
        f"{words}\n  help: pip install torch==2.9.1"
    )


def test_a_torch_of_another_abi_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_torch_check, "CXX11_ABI", not torch.compiled_with_cxx11_abi())
    with pytest.raises(ImportError, match="_GLIBCXX_USE_CXX11_ABI"):
        _libraries.load()


def test_another_build_of_the_same_release_is_told_by_its_headers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.version, "git_version", "0123456789ab")
    _torch_check.check_torch()
    assert "c10/core/TensorImpl.h" in _torch_check.HEADERS
    changed = {**_torch_check.HEADERS, "c10/core/TensorImpl.h": "0" * 64}
    monkeypatch.setattr(_torch_check, "HEADERS", changed)
    with pytest.raises(ImportError, match=r"c10/core/TensorImpl\.h of the torch .* \(commit 0123"):
        _torch_check.check_torch()


def test_the_same_commit_is_the_same_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_torch_check, "HEADERS", {"c10/core/TensorImpl.h": "0" * 64})
    _torch_check.check_torch()


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(_libraries, "PRELOAD", (("acme_blas", "lib/libblas.so"),))
        with pytest.raises(ImportError, match="acme-blas, which is not installed\n  help: pip"):
            _libraries.load()
    monkeypatch.setattr(_libraries, "LIBRARIES", ("libnowhere.so",))
    with pytest.raises(ImportError, match=r"libnowhere\.so is missing"):
        _libraries.load()


def test_a_library_that_does_not_load_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_libraries, "LIBRARIES", ("../_build.py",))
    with pytest.raises(ImportError, match=r"_build\.py cannot be loaded: .*invalid ELF header"):
        _libraries.load()


def test_unknown_names_are_unknown() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = acme.nonsense


def test_what_torch_cuda_has_more_is_documented() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs/torch-module.md").read_text(
        encoding="utf-8"
    )
    rows = text.partition("## Missing names")[2].partition("\n## ")[0].splitlines()
    first_cells = [row.split("|")[1] for row in rows if row.startswith("| `")]
    documented = set(re.findall(r"`(\w+)`", " ".join(first_cells)))
    assert documented == {name for name in torch.cuda.__all__ if not hasattr(acme, name)}
