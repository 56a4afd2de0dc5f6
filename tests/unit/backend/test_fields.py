"""Fields of the vendor's structs that an SDK may lack (backend/csrc/sdk/Fields.h)."""

from __future__ import annotations

import subprocess
from pathlib import Path

from repository import ROOT

PROGRAM = """
#include "sdk/Fields.h"

#include <cstdio>
#include <string>

enum Type { kHost = 1, kDevice = 2 };
struct Cuda { Type type = kHost; int integrated = 7; struct { char bytes[2] = {'i', 'd'}; } uuid; };
struct Hip52 { Type memoryType = kHost; };
struct Bare {};

template <class Attributes>
void print(const Attributes& given) {
  using at::cuda::backend::fieldOr;
  const Type older = BACKEND_FIELD_OR(given, memoryType, kDevice);
  const auto text = fieldOr(
      given,
      [](const auto& known) -> decltype(std::string(known.uuid.bytes, 2)) {
        return std::string(known.uuid.bytes, 2);
      },
      std::string("none"));
  std::printf("%d %d %s\\n", BACKEND_FIELD_OR(given, type, older),
              BACKEND_FIELD_OR(given, integrated, -1), text.c_str());
}

int main() {
  print(Cuda{});
  print(Hip52{});
  print(Bare{});
}
"""


def test_a_field_that_is_absent_has_the_default(tmp_path: Path) -> None:
    (tmp_path / "fields.cpp").write_text(PROGRAM)
    program = tmp_path / "fields"
    include = ROOT / "backend" / "csrc"
    command = ["g++", "-std=c++17", "-Wall", "-Werror", f"-I{include}", tmp_path / "fields.cpp"]
    subprocess.run([*command, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["1 7 id", "1 -1 none", "2 -1 none"]
