// nvcc: --use_fast_math
// Options of the compiler: --use_fast_math flushes denormals, and makes divisions, roots and functions approximate.
#include <cmath>

#include "device/log.h"

using answers::Log;
using answers::opaque;

__global__ void flushed(Log log) {
  const float tiny = opaque(1e-40f), least = opaque(1.17549435e-38f), one = opaque(1.0f);
  log.one("tiny+0", tiny + opaque(0.0f));
  log.one("tiny*1", tiny * one);
  log.one("-tiny*1", -tiny * one);
  log.one("least/2", least * opaque(0.5f));
  log.one("least-least", least - opaque(1.2e-38f));
  log.one("tiny*huge", tiny * opaque(1e38f));
  log.one("fma", fmaf(tiny, one, tiny));
  log.one("compare_zero", int(tiny == 0.0f) + 2 * int(tiny > 0.0f));
  log.one("tiny/1", tiny / one);
  log.one("1/tiny", one / tiny);
  log.one("sqrtf", sqrtf(tiny));
  log.one("fmaxf", fmaxf(tiny, 0.0f));
  log.one("fabsf", fabsf(-tiny));
  log.one("float>int", int(tiny * opaque(1e38f)));
  log.one("double", opaque(5e-324) * opaque(1.0));
  log.one("float(double)", float(opaque(1e-40)));
  log.one("double(float)", double(tiny));
  log.one("ldexpf", ldexpf(tiny, 10));
  log.one("intrinsic_add", __fadd_rn(tiny, tiny));
  log.one("rintf", rintf(tiny));
  log.one("int>float", float(opaque(7)));
}

__global__ void approximate(Log log) {
  const float x = 0.1f + threadIdx.x * 0.3f, y = 1.7f + threadIdx.x;
  log.all_near("x/y", 1e-6, x / y);
  log.all_near("1/y", 1e-6, 1.0f / y);
  log.all_near("sqrtf", 1e-6, sqrtf(y));
  log.all_near("rsqrtf", 1e-6, rsqrtf(y));
  log.all_near("sinf", 2e-6, sinf(x * 0.3f));
  log.all_near("cosf", 2e-6, cosf(x * 0.3f));
  log.all_near("expf", 1e-5, expf(x));
  log.all_near("logf", 1e-6, logf(y));
  log.all_near("powf", 1e-5, powf(y, 1.3f));
  log.all_near("tanhf", 1e-3, tanhf(x));
  log.one("1/huge", 1.0f / opaque(1e38f));
  log.one("x/huge", opaque(3.0f) / opaque(3e38f));
  log.one("powf_0", powf(opaque(-2.0f), opaque(2.0f)));
}

int main() {
  Log log = answers::new_log();
  flushed<<<1, 1>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  approximate<<<1, 16>>>(Log{log.lines});
  if (cudaDeviceSynchronize() == cudaSuccess) {
    for (int i = 0; i < answers::most_lines && log.lines[i].name[0]; i++) {
      char* name = log.lines[i].name;
      for (int j = 78; j > 0; j--) name[j] = name[j - 1];
      name[0] = '=';
    }
  }
  answers::print_log(log);
}
