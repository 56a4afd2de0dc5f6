"""Messages of a package's own build in the output of pip."""

from __future__ import annotations

from pathlib import Path

from workshop import write_files

from porter.toolkit import pip_output

NOTICE = "WARNING: Running pip as the 'root' user can result in broken permissions\n"
FAILED = """\
Processing /tmp/source/pack
  Preparing metadata (setup.py): started
  error: subprocess-exited-with-error

  x python setup.py egg_info did not run successfully.
  │ exit code: 1
  ╰─> [6 lines of output]
      Traceback (most recent call last):
        File "/lib/python3.11/site-packages/setuptools/build_meta.py", line 335, in run_setup
          exec(code, locals())
          ^^^^^^^^^^^^^^^^^^^^
        File "setup.py", line 1, in <module>
      RuntimeError: CPU version is not implemented
      [end of output]

  note: This error originates from a subprocess, and is likely not a problem with pip.
error: metadata-generation-failed
hint: See above for details.
"""


def test_a_failed_setup_shows_its_own_output_without_pips_remarks() -> None:
    error = pip_output.own_failure(NOTICE + FAILED, "pack")
    assert error is not None
    (problem,) = error.problems
    assert problem.text.splitlines() == [
        "the package's own build failed",
        "Traceback (most recent call last):",
        '  File "setup.py", line 1, in <module>',
        "RuntimeError: CPU version is not implemented",
    ]
    assert problem.place == "pack"
    assert problem.help


def test_a_missing_module_is_named_in_the_help() -> None:
    said = FAILED.replace(
        "RuntimeError: CPU version is not implemented",
        "ModuleNotFoundError: No module named 'pybind11'",
    )
    error = pip_output.own_failure(said, "pack")
    assert error is not None
    assert error.problems[0].help.endswith("pip install pybind11")


def test_a_failure_of_pip_itself_is_no_failure_of_the_package() -> None:
    said = f"{NOTICE}ERROR: No matching distribution found for pack\n"
    assert pip_output.own_failure(said, "pack") is None
    assert pip_output.reason(said) == "ERROR: No matching distribution found for pack"


def test_notices_are_no_reasons() -> None:
    assert pip_output.reason(NOTICE + "error: externally-managed\n") == "error: externally-managed"
    assert pip_output.reason(NOTICE + "no such option: --x\n") == "no such option: --x"
    assert pip_output.reason(NOTICE) == "pip failed without a message"


def test_a_header_that_the_sources_lack_is_named(tmp_path: Path) -> None:
    said = "extensions.cpp:15:10: fatal error: detail/kernels.h: No such file or directory\n"
    help = pip_output.missing_header(said, tmp_path)
    assert help.startswith("the package's sources do not contain detail/kernels.h: ")
    write_files(tmp_path, {"other/kernels.h": ""})
    assert not pip_output.missing_header(said, tmp_path)
    assert not pip_output.missing_header("a.cu:4:3: error: no\n", tmp_path)


def test_the_first_error_is_shown_with_the_end() -> None:
    notes = [f"-- note {number}" for number in range(40)]
    said = [
        "CMake Error at CMakeLists.txt:3 (message):",
        "  no library",
        *notes,
        "Traceback",
        "Exception",
    ]
    lines = str(pip_output.build_failure("\n".join(["-- begin", *said]), "pack")).splitlines()
    assert lines[1:4] == ["CMake Error at CMakeLists.txt:3 (message):", "  no library", "-- note 0"]
    assert lines[11:13] == ["...", "-- note 22"]
    assert "Exception" in lines
