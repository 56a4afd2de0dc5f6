"""Stand-in for PyTorch's tests of NCCL: written for `cuda`, with one process for each rank."""

import os
import time

import torch
import torch.distributed as dist
from torch.testing._internal.common_device_type import instantiate_device_type_tests
from torch.testing._internal.common_distributed import (
    MultiProcContinousTest,
    MultiProcessTestCase,
    MultiThreadedTestCase,
    get_timeout,
    skip_if_lt_x_gpu,
)
from torch.testing._internal.common_utils import TestCase


class TestRanks(MultiProcessTestCase):
    world_size = 2

    def setUp(self):
        super().setUp()
        os.environ["SET_BY_THE_TEST"] = self._testMethodName
        self._spawn_processes()

    @skip_if_lt_x_gpu(2)
    def test_a_reduces(self):
        store = dist.FileStore(self.file_name, self.world_size)
        dist.init_process_group("nccl", rank=self.rank, world_size=self.world_size, store=store)
        value = torch.full((3,), float(self.rank + 1)).cuda(self.rank)
        dist.all_reduce(value)
        self.assertEqual(value, torch.full((3,), 3.0, device=f"cuda:{self.rank}"))
        dist.destroy_process_group()

    @skip_if_lt_x_gpu(4)
    def test_b_needs_more_devices(self):
        self.fail("never runs")

    def test_c_reads_the_environment(self):
        self.assertEqual(os.environ["SET_BY_THE_TEST"], self._testMethodName)

    def test_j_may_take_as_long_as_porter_allows(self):
        self.assertEqual(get_timeout(self.id()), 340)

    def test_d_fails_in_one_rank(self):
        if self.rank == 1:
            raise ValueError("of rank 1")

    def test_i_aborts_in_one_rank(self):
        if self.rank == 0:
            time.sleep(3)
            raise ValueError("another rank has ended")
        os.write(
            2, b"terminate called after throwing an instance\n  what():  of rank 1\nframe #0\n"
        )
        os.abort()


class TestRanksOfMainProgram(MultiProcContinousTest):
    @classmethod
    def backend_str(cls):
        return "nccl"

    def test_e_reduces(self):
        value = torch.ones(2, device=f"cuda:{self.rank}")
        dist.all_reduce(value)
        self.assertEqual(value.tolist(), [2.0, 2.0])

    def test_f_is_wrong(self):
        self.assertEqual(self.world_size, 3, "two ranks")


class TestRanksOfThreads(MultiThreadedTestCase):
    world_size = 2

    def setUp(self):
        super().setUp()
        self._spawn_threads()

    def test_h_reduces_values_of_another_stream(self):
        with torch.cuda.stream(torch.cuda.Stream()):
            for _ in range(10):
                value = torch.zeros(64, 64, device="cuda")
                if self.rank == 1:
                    for _ in range(20):
                        value = value @ torch.ones(64, 64, device="cuda")
                value += 1
                dist.all_reduce(value)
                self.assertEqual(value, torch.full((64, 64), 2.0, device="cuda"))


class TestDeviceTypes(TestCase):
    def test_g_has_the_name_cuda(self, device):
        self.assertEqual(torch.ones(1, device=device).device.type, "cuda")


instantiate_device_type_tests(TestDeviceTypes, globals(), only_for="cuda")
