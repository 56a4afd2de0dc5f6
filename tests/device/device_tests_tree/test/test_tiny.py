"""Stand-in for a test file of PyTorch: device-generic tests with every possible outcome."""

import os
import time
import unittest
from pathlib import Path

import torch
from torch.testing._internal.common_device_type import (
    dtypes,
    dtypesIfCUDA,
    instantiate_device_type_tests,
    onlyCUDA,
    ops,
)
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_utils import TestCase, freeze_rng_state

HISTC = [op for op in op_db if op.name == "histc"]


class TestTiny(TestCase):
    def test_a_adds(self, device):
        self.assertEqual(torch.ones(3, device=device) + 1, torch.full((3,), 2.0, device=device))

    def test_b_breaks_the_device(self, device):
        beyond = torch.tensor([5], device=device)
        torch.ones(3, device=device)[beyond].cpu()

    def test_c_adds_afterwards(self, device):
        self.assertEqual(torch.ones(3, device=device) + 1, torch.full((3,), 2.0, device=device))

    def test_d_ends_the_process(self, device):
        os.abort()

    def test_e_is_silent(self, device):
        time.sleep(600)

    def test_f_is_wrong(self, device):
        self.assertEqual(torch.ones(3, device=device).sum().item(), 4.0)

    def test_g_has_a_wrong_part(self, device):
        for right in (3.0, 4.0):
            with self.subTest(right):
                self.assertEqual(torch.ones(3, device=device).sum().item(), right)

    @onlyCUDA
    def test_h_is_for_cuda(self, device):
        self.assertEqual(torch.ones(1, device=device).device.type, "cuda")

    @unittest.expectedFailure
    def test_i_is_expected_to_fail(self, device):
        self.fail()

    @dtypes(torch.float32, torch.int64)
    @dtypesIfCUDA(torch.float64)
    def test_j_has_dtypes(self, device, dtype):
        self.assertEqual((torch.ones(3, device=device).to(dtype) * 2).dtype, dtype)

    @ops(HISTC)
    def test_k_has_the_dtypes_of_an_operator(self, device, dtype, op):
        self.assertTrue(op.supports_dtype(dtype, device))

    def test_l_writes_a_file(self, device):
        Path("left_behind").write_text(str(torch.ones(3, device=device).device))

    def test_m_draws_the_same_numbers_twice(self, device):
        with freeze_rng_state():
            first = torch.rand(3, device=device)
        self.assertEqual(torch.rand(3, device=device), first)


class TestNotOfADevice(TestCase):
    def test_is_not_run(self):
        self.fail()


instantiate_device_type_tests(TestTiny, globals())
