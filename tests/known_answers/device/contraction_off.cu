// nvcc: -fmad=false -ftz=true -prec-div=true
// Options of the compiler: without contraction of products and sums; denormal floats flushed, doubles kept.
#include "device/log.h"

using answers::Log;
using answers::opaque;

__global__ void expressions(Log log) {
  const float e = opaque(1.0f + 1.0f / 4096), tiny = opaque(1e-40f);
  const double d = opaque(1.0 + 1.0 / 134217728);
  log.one("e*e-x", e * e - opaque(1.00048828125f));
  log.one("d*d-x", d * d - opaque(1.0000000149011612));
  log.one("fmaf", fmaf(e, e, -opaque(1.00048828125f)));
  log.one("tiny+tiny", tiny + tiny);
  log.one("tiny_double", opaque(1e-310) + opaque(1e-310));
  log.one("quotient", opaque(1.0f) / opaque(3.0f));
  log.one("tiny_quotient", opaque(1e-38f) / opaque(3.0f));
}

int main() {
  Log log = answers::new_log();
  expressions<<<1, 1>>>(log);
  answers::print_log(log);
}
