"""Stand-in for the operator suite: each check has the outcome in the operator's name."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time

UNITS = [
    {"op": op, "dtype": dtype, "checks": ["forward", "backward"]}
    for op in ("good", "linalg.crash", "linalg.hang", "wrong.twice")
    for dtype in ("float32", "float64")
]


def tell(**what: object) -> None:
    print(json.dumps(what), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--device")
    parser.add_argument("--package")
    parser.add_argument("--samples")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if arguments.package == "torch_absent":
        tell(error="torch_absent is not installed")
        return
    if arguments.package == "torch_alone":
        raise ModuleNotFoundError("No module named 'torch'")
    if arguments.package == "torch_broken":
        sys.exit("ImportError: for torch 2.5.0\n  help: pip install torch==2.5.0")
    tell(ready=True, torch="9.9.9+cpu", build=os.environ.get("STUB_BUILD", "one"))
    if arguments.package == "torch_bare":
        raise ModuleNotFoundError("No module named 'expecttest'")
    if arguments.list:
        for unit in UNITS:
            tell(**unit)
        tell(end=True)
        return
    for line in sys.stdin:
        asked = json.loads(line)
        for check in asked["checks"]:
            tell(begin=check)
            end(asked["op"], asked["dtype"], check)
        tell(done=True)


def end(op: str, dtype: str, check: str) -> None:
    if op == "linalg.crash" and dtype == "float32" and check == "forward":
        print("fault: address 0x0", file=sys.stderr, flush=True)
        os.abort()
    if op == "linalg.hang" and check == "backward":
        time.sleep(600)
    wrong = op == "wrong.twice" and "STUB_BUILD" not in os.environ
    status = "fail" if wrong else "pass"
    tell(check=check, status=status, note="1 instead of 2" if wrong else "", seconds=0.5)


if __name__ == "__main__":
    main()
