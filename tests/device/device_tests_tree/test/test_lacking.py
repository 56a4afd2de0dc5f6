"""Stand-in for a test file of PyTorch that needs a missing package."""

import a_module_that_nobody_has  # noqa: F401
from torch.testing._internal.common_device_type import instantiate_device_type_tests
from torch.testing._internal.common_utils import TestCase


class TestLacking(TestCase):
    def test_any(self, device):
        self.fail()


instantiate_device_type_tests(TestLacking, globals())
