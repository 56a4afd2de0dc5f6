#include "kernel/division.h"

#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace simtrt {

#if defined(__x86_64__)

namespace {

// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2: 2.1 (instruction format), DIV and IDIV.
constexpr std::array kRegisters{REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15};

/// `div` or `idiv`, as far as it was read.
struct Division {
  std::uint64_t divisor = 0;
  unsigned bytes = 4;
  bool is_signed = false;
  std::size_t length = 0;
};

class Reader {
 public:
  explicit Reader(const mcontext_t& machine)
      : machine_(machine), start_(reinterpret_cast<const unsigned char*>(machine.gregs[REG_RIP])) {}

  std::optional<Division> read() {
    bool is_short = false;
    for (; is_prefix(*at()); ++length_) {
      // Of another segment, or with addresses of 32 bits.
      if (*at() == 0x64 || *at() == 0x65 || *at() == 0x67) return std::nullopt;
      is_short |= *at() == 0x66;
    }
    if ((*at() & 0xf0) == 0x40) rex_ = *take();
    const unsigned char opcode = *take();
    if (opcode != 0xf6 && opcode != 0xf7) return std::nullopt;
    const unsigned char modrm = *take();
    const unsigned operation = modrm >> 3 & 7;
    if (operation != 6 && operation != 7) return std::nullopt;
    Division result;
    result.is_signed = operation == 7;
    result.bytes = opcode == 0xf6 ? 1 : (rex_ & 8) != 0 ? 8 : is_short ? 2 : 4;
    const unsigned mode = modrm >> 6, base = modrm & 7;
    if (mode == 3) {
      // Without REX, the one-byte registers 4 to 7 are the second bytes of the first four.
      const bool second = result.bytes == 1 && rex_ == 0 && base >= 4;
      result.divisor = second ? value(base - 4) >> 8 : value(base | (rex_ & 1) << 3);
    } else {
      const std::uint64_t address = effective_address(mode, base);
      std::memcpy(&result.divisor, reinterpret_cast<const void*>(address), result.bytes);
    }
    result.length = length_;
    return result;
  }

 private:
  static bool is_prefix(unsigned char byte) {
    return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0x26 || byte == 0x2e ||
           byte == 0x36 || byte == 0x3e || byte == 0x64 || byte == 0x65;
  }

  const unsigned char* at() const { return start_ + length_; }
  const unsigned char* take() { return start_ + length_++; }

  std::uint64_t value(unsigned number) const {
    return static_cast<std::uint64_t>(machine_.gregs[kRegisters[number]]);
  }

  std::uint64_t displacement(unsigned bytes) {
    std::int8_t near = 0;
    std::int32_t far = 0;
    if (bytes == 1) std::memcpy(&near, at(), 1);
    if (bytes == 4) std::memcpy(&far, at(), 4);
    length_ += bytes;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(near + far));
  }

  std::uint64_t effective_address(unsigned mode, unsigned base) {
    std::uint64_t address = 0;
    if (base == 4) {
      const unsigned char sib = *take();
      const unsigned index = (sib >> 3 & 7) | (rex_ & 2) << 2;
      if (index != 4) address += value(index) << (sib >> 6);
      base = sib & 7;
      if (mode == 0 && base == 5) return address + displacement(4);
    } else if (mode == 0 && base == 5) {
      // Of what lies behind the instruction, which ends with the displacement.
      const std::uint64_t offset = displacement(4);
      return reinterpret_cast<std::uint64_t>(at()) + offset;
    }
    return address + value(base | (rex_ & 1) << 3) + displacement(mode == 1 ? 1 : mode == 2 ? 4 : 0);
  }

  const mcontext_t& machine_;
  const unsigned char* const start_;
  std::size_t length_ = 0;
  unsigned rex_ = 0;
};

/// `value` in the low bytes of a register: four of them clear the rest, fewer leave it.
void put(greg_t& gpr, std::uint64_t value, unsigned bytes) {
  if (bytes >= 4) {
    gpr = static_cast<greg_t>(bytes == 4 ? value & 0xffffffff : value);
    return;
  }
  const std::uint64_t mask = (std::uint64_t{1} << 8 * bytes) - 1;
  gpr = static_cast<greg_t>((static_cast<std::uint64_t>(gpr) & ~mask) | (value & mask));
}

}  // namespace

bool finish_division(void* context) {
  auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
  const std::optional<Division> division = Reader(machine).read();
  if (!division) return false;
  const unsigned bytes = division->bytes;
  const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  const std::uint64_t divisor = division->divisor & mask;
  const auto dividend = static_cast<std::uint64_t>(machine.gregs[REG_RAX]) & mask;
  const bool by_zero = divisor == 0;
  // The one other division that fails, of what a compiler makes of C++.
  if (!by_zero && !(division->is_signed && divisor == mask)) return false;
  // Where both upper halves are clear, as a zero's is, a GPU divides 64 bits as 32.
  const std::uint64_t ones = dividend >> 32 == 0 ? mask & 0xffffffff : mask;
  const std::uint64_t quotient = by_zero ? ones : dividend;
  const std::uint64_t remainder = by_zero ? ones : 0;
  if (bytes == 1) {
    put(machine.gregs[REG_RAX], quotient | remainder << 8, 2);
  } else {
    put(machine.gregs[REG_RAX], quotient, bytes);
    put(machine.gregs[REG_RDX], remainder, bytes);
  }
  machine.gregs[REG_RIP] += static_cast<greg_t>(division->length);
  return true;
}

#else

// Divisions raise nothing on aarch64.
bool finish_division(void*) { return false; }

#endif

}  // namespace simtrt
