"""Several devices and threads at once, long runs, and exhausted memory."""

from __future__ import annotations

import threading

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from process import run  # noqa: E402


def test_two_devices_and_four_threads_at_once() -> None:
    wrong: list[str] = []

    def work(number: int) -> None:
        device = f"simt:{number % 2}"
        generator = torch.Generator().manual_seed(number)
        try:
            with torch.simt.device(device), torch.simt.stream(torch.simt.Stream(device=device)):
                for _ in range(20):
                    a = torch.randn(40, 50, generator=generator)
                    b = torch.randn(50, 30, generator=generator)
                    x = a.to(device).requires_grad_()
                    loss = (x @ b.to(device)).softmax(1).log().sum()
                    loss.backward()
                    y = a.clone().requires_grad_()
                    (y @ b).softmax(1).log().sum().backward()
                    torch.testing.assert_close(x.grad.cpu(), y.grad, rtol=1e-3, atol=1e-3)
        except BaseException as error:  # told in the test's own thread
            wrong.append(f"{device}: {error}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_thousand_steps_take_no_more_memory() -> None:
    run("""
        import os, resource
        import torch
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4)).to("simt")
        optimiser = torch.optim.Adam(model.parameters())
        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
        seen = []
        for step in range(3301):
            x = torch.randn(8, 16, device="simt")
            loss = torch.nn.functional.cross_entropy(model(x), torch.randint(4, (8,), device="simt"))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            if step % 1000 == 300:
                torch.simt.synchronize()
                seen.append((torch.simt.memory_allocated(), torch.simt.memory_reserved(), resident()))
        allocated, reserved, held = zip(*seen)
        assert len(set(allocated)) == len(set(reserved)) == 1, seen
        # The C library takes memory in large pieces, now and then; a leak would grow in each of the thousands.
        assert min(after - before for before, after in zip(held, held[1:])) < 1 << 19, seen
    """)


def test_memory_that_runs_out_is_an_error_and_no_end() -> None:
    run(
        """
        import torch
        kept = torch.ones(1000, device="simt")
        try:
            torch.empty(1 << 30, device="simt", dtype=torch.uint8)
        except torch.OutOfMemoryError as error:
            assert "out of memory" in str(error), error
        else:
            raise SystemExit("no error")
        several = []
        try:
            while True:
                several.append(torch.zeros(10 << 20, device="simt", dtype=torch.uint8))
        except torch.OutOfMemoryError:
            pass
        assert 5 <= len(several) <= 10, len(several)
        del several
        torch.zeros(60 << 20, device="simt", dtype=torch.uint8)
        assert kept.sum().item() == 1000
        """,
        SIMT_DEVICE_MEMORY=str(100 << 20),
    )


def test_a_failed_assertion_of_a_kernel_is_an_error_and_no_end() -> None:
    run("""
        import torch
        table = torch.ones(3, 2, device="simt")
        try:
            torch.nn.functional.embedding(torch.tensor([5], device="simt"), table)
            torch.simt.synchronize()
        except RuntimeError as error:
            assert "device-side assert triggered" in str(error), error
        else:
            raise SystemExit("no error")
        assert torch.ones(2).sum() == 2
    """)


def test_importing_torch_starts_nothing() -> None:
    """The entry point is loaded at every import of torch; `build_scripts/bench_device` measures how long it takes."""
    run("""
        import torch, sys
        assert torch.simt.is_available()
        import threading
        assert threading.active_count() == 1
        assert not torch.simt.is_initialized()
    """)
