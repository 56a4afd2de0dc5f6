"""Programs that use the device in a separate process."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap


def run(program: str, **environment: str) -> str:
    """Output of a program. Fails with the program's stderr if the program fails."""
    done = finished(program, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def finished(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Exit code, output and stderr of a program."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, **environment},
    )
