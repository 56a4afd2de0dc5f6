"""Stand-in for PyTorch's tests of NCCL: written for `cuda`, with one process for each rank."""

import torch
import torch.distributed as dist
from torch.testing._internal.common_distributed import MultiProcessTestCase, skip_if_lt_x_gpu


class TestRanks(MultiProcessTestCase):
    world_size = 2

    def setUp(self):
        super().setUp()
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
