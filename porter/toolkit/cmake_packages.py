"""CMake packages of CUDA's C++ libraries in a toolkit folder: `find_package(CUB CONFIG)`, `Thrust` and `libcudacxx`.

The driver finds the headers itself, so that the targets of the packages have no folders.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.model.rules import RuleSet

_VERSION = """\
set(PACKAGE_VERSION {version})
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
"""
_TARGET = """\
if(NOT TARGET {target})
  add_library({target} INTERFACE IMPORTED)
endif()
"""
_CREATE = """\
# Thrust runs on the device only: HOST and the options have no effect.
function(thrust_create_target name)
  cmake_parse_arguments(PARSE_ARGV 1 asked "" "DEVICE" "")
  if(asked_DEVICE AND NOT asked_DEVICE STREQUAL "CUDA")
    message(FATAL_ERROR "thrust_create_target: the device system ${asked_DEVICE} does not exist on this target")
  endif()
  if(NOT TARGET ${name})
    add_library(${name} INTERFACE IMPORTED)
  endif()
endfunction()
"""
_TARGETS = {"CUB": "CUB::CUB", "Thrust": "Thrust::Thrust", "libcudacxx": "libcudacxx::libcudacxx"}


def files(rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Pairs of a path below `lib64/cmake` and the file's text; none for a target whose SDK has the libraries."""
    if rules.profile.build.runtime != "simt":
        return
    number = rules.profile.guards["CUB_VERSION"].value
    version = f"{number // 100000}.{number // 100 % 1000}.{number % 100}"
    for package, target in _TARGETS.items():
        text = _TARGET.replace("{target}", target) + (_CREATE if package == "Thrust" else "")
        folder = package.lower()
        yield f"{folder}/{folder}-config.cmake", text
        yield f"{folder}/{folder}-config-version.cmake", _VERSION.replace("{version}", version)
