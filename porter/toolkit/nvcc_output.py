"""Text of the driver that build systems read as the output of nvcc."""

from __future__ import annotations

import shlex

import porter
from porter.toolkit.settings import ToolkitSettings


def version_text(target: str, cuda: str) -> str:
    """Output of `nvcc --version` for a target and its release of CUDA, in which build systems find the release.

    CMake recognises nvcc by the beginning of the first line.
    """
    return (
        "nvcc: NVIDIA (R) Cuda compiler driver (its command line, provided by "
        f"porter {porter.__version__} for target {target})\n"
        f"Cuda compilation tools, release {cuda}, V{cuda}.0\n"
        f"Build porter_{target}_{cuda}.0\n"
    )


def build_system_text(settings: ToolkitSettings, output: str) -> str:
    """Lines of nvcc's verbose output from which CMake reads folders, libraries and the program for linking.

    CMake links with `bin/c++`, the driver with the command line of g++. It adds the folders of the target's libraries.
    """
    link = shlex.join(word for word in settings.link if word.startswith(("-L", "-l")))
    includes = shlex.join(word for word in settings.flags if word.startswith("-I"))
    values = {
        "_SPACE_": "",
        "_THERE_": f"{settings.folder}/bin",
        "_TARGET_ARCH_": "-arch compute_70",
        "TOP": settings.folder,
        "NVVMIR_LIBRARY_DIR": f"{settings.folder}/nvvm/libdevice",
        "PATH": f"{settings.folder}/bin",
        "LIBRARIES": link,
        "INCLUDES": f"-I{settings.folder}/include {includes}",
    }
    lines = [f"#$ {name}={value}" for name, value in values.items()]
    lines.append(f"#$ {settings.folder}/bin/c++ {link} -o {shlex.quote(output)}")
    return "\n".join(lines) + "\n"
