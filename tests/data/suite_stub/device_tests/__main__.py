"""Stand-in for the program that runs PyTorch's tests: each test has the outcome in its name and records its
process.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

FILES = {
    "test_good.py": {
        "TestGood": ["test_a_toy_float32", "test_b_toy_float32"],
        "TestMore": ["test_a_toy"],
    },
    "nn/test_odd.py": {
        "TestOdd": ["test_1", "test_2_crash", "test_3", "test_4_over", "test_5", "test_6_hang"]
    },
    "distributed/test_c10d_nccl.py": {"TestRanks": ["test_ranks"]},
    "test_wrong.py": {"TestWrong": ["test_w_toy_float32", "test_w_toy_int8", "test_v_toy_skip"]},
}
MISSING = "No module named 'absent'"


def tell(**what: object) -> None:
    print(json.dumps(what), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("device", "package", "tests", "folder"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--distributed", action="store_true")
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    assert Path(arguments.folder).is_dir() and Path(arguments.tests).is_dir()
    tell(ready=True, torch="9.9.9+cpu", build="one")
    for line in sys.stdin:
        asked = json.loads(line)
        file = asked["op"].partition("::")[0]
        assert arguments.distributed == file.startswith("distributed/")
        if "list" in asked:
            list_tests(file)
            continue
        for test in asked["checks"]:
            tell(begin=test)
            end(test)
        tell(done=True)


def list_tests(file: str) -> None:
    tell(begin="import")
    if file == "test_dying.py":
        print("fault: address 0x0", file=sys.stderr, flush=True)
        os.abort()
    if file not in FILES:
        tell(unusable=f"ModuleNotFoundError: {MISSING}")
        return
    for name, tests in FILES[file].items():
        tell(op=f"{file}::{name}", dtype="", checks=tests)
    tell(end=True)


def end(test: str) -> None:
    if test.endswith("_crash"):
        print("fault: address 0x0", file=sys.stderr, flush=True)
        os.abort()
    if test.endswith("_hang"):
        time.sleep(600)
    status, note = "pass", str(os.getpid())
    if test.startswith("test_w"):
        status, note = "fail", "1 instead of 2"
    elif test.endswith("_skip"):
        status, note = "skipped", "Only runs on cuda"
    over = test.endswith("_over")
    tell(check=test, status=status, note=note, seconds=0.5, over=over)
    if over:
        sys.exit()


if __name__ == "__main__":
    main()
