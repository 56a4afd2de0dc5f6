// Integer intrinsics of device code: bits, products, byte permutation with all selectors, funnel shifts, dot products.
#include "device/log.h"

using answers::Log;
using answers::opaque;

__device__ const unsigned words[32] = {
    0u,          1u,          2u,          3u,          0x7fu,       0x80u,       0xffu,       0x100u,
    0x7fffu,     0x8000u,     0xffffu,     0x10000u,    0x7fffffu,   0x800000u,   0xffffffu,   0x1000000u,
    0x7fffffffu, 0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu, 0x12345678u, 0x87654321u, 0xdeadbeefu,
    0xcafebabeu, 0x00ff00ffu, 0xff00ff00u, 0x80808080u, 0x7f7f7f7fu, 0x55555555u, 0xaaaaaaaau, 0x0f0f1234u};

__global__ void bits(Log log) {
  const int t = threadIdx.x;
  const unsigned a = words[t], b = words[(t * 7 + 3) % 32], c = words[(t * 11 + 5) % 32];
  const int sa = int(a), sb = int(b), sc = int(c);
  const unsigned long long w = (unsigned long long)a << 32 | b, v = (unsigned long long)c << 32 | a;
  const long long sw = (long long)w, sv = (long long)v;
  log.all("brev", __brev(a));
  log.all("brevll", __brevll(w));
  log.all("clz", __clz(sa));
  log.all("clzll", __clzll(sw));
  log.all("clzll_low", __clzll((long long)a));
  log.all("ffs", __ffs(sa));
  log.all("ffsll", __ffsll(sw));
  log.all("ffsll_high", __ffsll((long long)((unsigned long long)a << 32)));
  log.all("popc", __popc(a));
  log.all("popcll", __popcll(w));
  log.all("mulhi", __mulhi(sa, sb));
  log.all("umulhi", __umulhi(a, b));
  log.all("mul64hi", __mul64hi(sw, sv));
  log.all("umul64hi", __umul64hi(w, v));
  log.all("mul24", __mul24(sa, sb));
  log.all("umul24", __umul24(a, b));
  log.all("sad", __sad(sa, sb, c));
  log.all("usad", __usad(a, b, c));
  log.all("hadd", __hadd(sa, sb));
  log.all("rhadd", __rhadd(sa, sb));
  log.all("uhadd", __uhadd(a, b));
  log.all("urhadd", __urhadd(a, b));
  log.all("dp4a_s", __dp4a(sa, sb, sc));
  log.all("dp4a_u", __dp4a(a, b, c));
  log.all("dp2a_lo_s", __dp2a_lo(sa, sb, sc));
  log.all("dp2a_lo_u", __dp2a_lo(a, b, c));
  log.all("dp2a_hi_s", __dp2a_hi(sa, sb, sc));
  log.all("dp2a_hi_u", __dp2a_hi(a, b, c));
  log.all("abs", abs(opaque(sa)));
  log.all("labs", labs((long)sw));
  log.all("llabs", llabs(sw));
  log.all("min", min(sa, sb));
  log.all("max", max(sa, sb));
  log.all("umin", umin(a, b));
  log.all("umax", umax(a, b));
  log.all("llmin", llmin(sw, sv));
  log.all("llmax", llmax(sw, sv));
  log.all("ullmin", ullmin(w, v));
  log.all("ullmax", ullmax(w, v));
  log.all("float_as_int", __float_as_int(__int_as_float(sa)));
  log.all("float_as_uint", __float_as_uint(__uint_as_float(a)));
  log.all("double_as_longlong", __double_as_longlong(__longlong_as_double(sw)));
  log.all("double2hiint", __double2hiint(__hiloint2double(sa, sb)));
  log.all("double2loint", __double2loint(__hiloint2double(sa, sb)));
}

// Lane t uses the shift amount t, in rounds also amounts beyond the width.
__global__ void funnel(Log log) {
  const unsigned t = threadIdx.x, x = 0x89abcdefu, y = 0x12345678u;
  for (unsigned add = 0; add < 3; add++) {
    const char* left[] = {"funnelshift_l_0", "funnelshift_l_32", "funnelshift_l_64"};
    const char* left_clamped[] = {"funnelshift_lc_0", "funnelshift_lc_32", "funnelshift_lc_64"};
    const char* right[] = {"funnelshift_r_0", "funnelshift_r_32", "funnelshift_r_64"};
    const char* right_clamped[] = {"funnelshift_rc_0", "funnelshift_rc_32", "funnelshift_rc_64"};
    const unsigned shift = t + 32 * add;
    log.all_bits(left[add], __funnelshift_l(opaque(x), opaque(y), shift));
    log.all_bits(left_clamped[add], __funnelshift_lc(opaque(x), opaque(y), shift));
    log.all_bits(right[add], __funnelshift_r(opaque(x), opaque(y), shift));
    log.all_bits(right_clamped[add], __funnelshift_rc(opaque(x), opaque(y), shift));
  }
  log.all_bits("funnelshift_l_huge", __funnelshift_l(opaque(x), opaque(y), 0xffffffe0u + t));
  log.all_bits("funnelshift_lc_huge", __funnelshift_lc(opaque(x), opaque(y), 0xffffffe0u + t));
  log.all_bits("funnelshift_rc_huge", __funnelshift_rc(opaque(x), opaque(y), 0xffffffe0u + t));
}

// Each lane one selector of a nibble: 0 to 15 in each of the four positions, with bits above it.
__global__ void permute(Log log) {
  const unsigned t = threadIdx.x, x = 0x83a4c51eu, y = 0x79f22b8du;
  log.all_bits("byte_perm_nibble0", __byte_perm(opaque(x), opaque(y), t));
  log.all_bits("byte_perm_nibble1", __byte_perm(opaque(x), opaque(y), t << 4));
  log.all_bits("byte_perm_nibble2", __byte_perm(opaque(x), opaque(y), t << 8 | 0x0010));
  log.all_bits("byte_perm_nibble3", __byte_perm(opaque(x), opaque(y), t << 12 | 0x0210));
  log.all_bits("byte_perm_replicated", __byte_perm(opaque(x), opaque(y), (t & 15) * 0x1111));
  log.all_bits("byte_perm_mixed", __byte_perm(opaque(x), opaque(y), t * 0x1357 ^ 0x9a8b));
}

// Shifts in C++ by amounts of at least the width. nvcc compiles them to shl and shr, which clamp the amount.
__global__ void shifts(Log log) {
  const int t = threadIdx.x;
  const int amounts[8] = {0, 1, 31, 32, 33, 63, 64, 200};
  const int amount = opaque(amounts[t % 8]);
  const unsigned u = opaque(t < 8 ? 0x80000001u : 0x7fffffffu);
  log.all_bits("shl_u32", (unsigned)(u << amount));
  log.all_bits("shr_u32", (unsigned)(u >> amount));
  log.all("shr_s32", int(u) >> amount);
  const unsigned long long w = opaque(t < 8 ? 0x8000000000000001ull : 0x7fffffffffffffffull);
  log.all_bits("shl_u64", w << amount);
  log.all_bits("shr_u64", w >> amount);
  log.all("shr_s64", (long long)w >> amount);
  const unsigned char small = opaque((unsigned char)(0x81));
  log.all("shl_u8", int((unsigned char)(small << (amount % 32))));
  log.all("shr_s8", int((signed char)small >> (amount % 32)));
  log.all_bits("shl_negative", (unsigned)(u << (amount - 1)));
}

int main() {
  Log log = answers::new_log();
  bits<<<1, 32>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  funnel<<<1, 32>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  permute<<<1, 16>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  shifts<<<1, 16>>>(log);
  answers::print_log(log);
}
