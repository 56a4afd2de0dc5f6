#include "kernel/division.h"

#include "kernel/instruction.h"

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace simtrt {

#if defined(__x86_64__)

namespace {

/// A decoded `div` or `idiv` instruction.
struct Division {
  std::uint64_t divisor = 0;
  unsigned bytes = 4;
  bool is_signed = false;
  std::size_t length = 0;
};

// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2: DIV and IDIV.
std::optional<Division> read_division(mcontext_t& machine) {
  const std::optional<Instruction> read = read_instruction(machine);
  if (!read || read->is_vex || read->map != 0) return std::nullopt;
  if (read->opcode != 0xf6 && read->opcode != 0xf7) return std::nullopt;
  if (read->operation != 6 && read->operation != 7) return std::nullopt;
  Division result;
  result.is_signed = read->operation == 7;
  result.length = read->length;
  result.bytes = read->opcode == 0xf6          ? 1
                 : (read->rex & 8) != 0        ? 8
                 : read->has_operand_prefix    ? 2
                                               : 4;
  if (read->has_memory_operand) {
    std::memcpy(&result.divisor, reinterpret_cast<const void*>(read->address), result.bytes);
    return result;
  }
  // Without a REX prefix, the one-byte registers 4 to 7 are the second bytes of registers 0 to 3.
  const unsigned number = read->register_operand;
  const bool second = result.bytes == 1 && read->rex == 0 && number >= 4;
  const auto value =
      static_cast<std::uint64_t>(general_register(machine, second ? number - 4 : number));
  result.divisor = second ? value >> 8 : value;
  return result;
}

/// Writes `value` to the low bytes of a register. A write of four bytes clears the upper half; a
/// smaller write preserves the other bytes.
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
  const std::optional<Division> division = read_division(machine);
  if (!division) return false;
  const unsigned bytes = division->bytes;
  const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  const std::uint64_t divisor = division->divisor & mask;
  const auto dividend = static_cast<std::uint64_t>(machine.gregs[REG_RAX]) & mask;
  const bool by_zero = divisor == 0;
  // Besides a division by zero, compilers generate one failing division from C++: the smallest
  // integer divided by -1.
  if (!by_zero && !(division->is_signed && divisor == mask)) return false;
  // If the upper halves of both operands are clear, a GPU divides 64-bit numbers like 32-bit
  // numbers. The divisor is zero here, so only the dividend is tested.
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

// On aarch64, a division raises no signal.
bool finish_division(void*) { return false; }

#endif

}  // namespace simtrt
