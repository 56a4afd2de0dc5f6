"""Programs that use the device in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap


def run(program: str, **environment: str) -> str:
    """What a program prints. Fails with what it says on stderr, when it does not end well."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
