"""libsimt.so, the runtime of target simt, built with ninja.

build_scripts/build_simt                          build/simt/libsimt.so
build_scripts/build_simt --tests --run            and its test program, which is run
build_scripts/build_simt --sanitize address --out build/simt-asan --tests --run
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from porter.errors import PorterError
from porter.simt.build import Options, build

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="build_simt", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "simt", metavar="DIR")
    parser.add_argument("--compiler", default="g++", metavar="CXX")
    parser.add_argument("--warp-size", type=int, choices=(32, 64), default=32)
    parser.add_argument("--sanitize", choices=("address", "thread"))
    parser.add_argument("--debug", action="store_true", help="no optimisation, assertions on")
    parser.add_argument("--tests", action="store_true", help="the test program as well")
    parser.add_argument("--run", action="store_true", help="run the test program (with --tests)")
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="default: all processors")
    parser.add_argument("--launcher", help="such as ccache, which is used where it is there")
    arguments, rest = parser.parse_known_args()
    options = Options(
        out=arguments.out.resolve(),
        compiler=arguments.compiler,
        warp_size=arguments.warp_size,
        sanitizer=arguments.sanitize,
        debug=arguments.debug,
        tests=arguments.tests or arguments.run,
        jobs=arguments.jobs,
        launcher=arguments.launcher,
    )
    try:
        print(build(options))
    except PorterError as error:
        print(error, file=sys.stderr)
        return error.code
    if arguments.run:
        environment = {"SIMT_DEVICE_COUNT": "2", **os.environ}
        return subprocess.run(
            [options.test_program, *rest], env=environment, check=False
        ).returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
