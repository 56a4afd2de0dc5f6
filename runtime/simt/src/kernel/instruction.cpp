#include "kernel/instruction.h"

#if defined(__x86_64__)

#include <array>
#include <cstring>

namespace simtrt {
namespace {

// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2: 2.1 (instruction
// format), 2.3 (VEX).
constexpr std::array kRegisters{REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15};
constexpr unsigned kRexB = 1, kRexX = 2;

class Reader {
 public:
  explicit Reader(const mcontext_t& machine)
      : machine_(machine), start_(reinterpret_cast<const unsigned char*>(machine.gregs[REG_RIP])) {}

  std::optional<Instruction> read() {
    for (; is_prefix(*at()); ++read_.length) {
      if (*at() == 0x64 || *at() == 0x65 || *at() == 0x67) return std::nullopt;
      read_.has_operand_prefix |= *at() == 0x66;
      if (*at() == 0xf2 || *at() == 0xf3) read_.repeat_prefix = *at();
    }
    if (*at() == 0xc4 || *at() == 0xc5) {
      read_vex();
    } else {
      read_opcode();
    }
    read_operand(*take());
    return read_;
  }

 private:
  static bool is_prefix(unsigned char byte) {
    return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0x26 ||
           byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x64 || byte == 0x65;
  }

  const unsigned char* at() const { return start_ + read_.length; }
  const unsigned char* take() { return start_ + read_.length++; }

  void read_opcode() {
    if ((*at() & 0xf0) == 0x40) read_.rex = *take();
    read_.opcode = *take();
    if (read_.opcode != 0x0f) return;
    read_.map = *at() == 0x38 ? 2 : *at() == 0x3a ? 3 : 1;
    if (read_.map != 1) take();
    read_.opcode = *take();
  }

  // Reads the two or three bytes of a VEX prefix. These bytes contain the information of the
  // prefixes 66, f2, f3 and REX, and the opcode map; the REX bits are inverted.
  void read_vex() {
    read_.is_vex = true;
    read_.map = 1;
    if (*take() == 0xc4) {
      const unsigned char first = *take();
      read_.rex = ~first >> 5 & 7;
      read_.map = first & 0x1f;
    }
    const unsigned form = *take() & 3;
    read_.has_operand_prefix = form == 1;
    read_.repeat_prefix = form == 2 ? 0xf3 : form == 3 ? 0xf2 : 0;
    read_.opcode = *take();
  }

  void read_operand(unsigned char modrm) {
    const unsigned mode = modrm >> 6, base = modrm & 7;
    read_.operation = modrm >> 3 & 7;
    read_.register_operand = extended(base, kRexB);
    read_.has_memory_operand = mode != 3;
    if (read_.has_memory_operand) read_.address = effective_address(mode, base);
  }

  unsigned extended(unsigned number, unsigned bit) const {
    return number | ((read_.rex & bit) != 0 ? 8 : 0);
  }

  std::uint64_t value(unsigned number) const {
    return static_cast<std::uint64_t>(machine_.gregs[kRegisters[number]]);
  }

  std::uint64_t displacement(unsigned bytes) {
    std::int8_t near = 0;
    std::int32_t far = 0;
    if (bytes == 1) std::memcpy(&near, at(), 1);
    if (bytes == 4) std::memcpy(&far, at(), 4);
    read_.length += bytes;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(near + far));
  }

  std::uint64_t effective_address(unsigned mode, unsigned base) {
    std::uint64_t address = 0;
    if (base == 4) {
      const unsigned char sib = *take();
      const unsigned index = extended(sib >> 3 & 7, kRexX);
      if (index != 4) address += value(index) << (sib >> 6);
      base = sib & 7;
      if (mode == 0 && base == 5) return address + displacement(4);
    } else if (mode == 0 && base == 5) {
      // Offset relative to the end of the instruction, which ends with the displacement.
      const std::uint64_t offset = displacement(4);
      return reinterpret_cast<std::uint64_t>(at()) + offset;
    }
    const unsigned bytes = mode == 1 ? 1 : mode == 2 ? 4 : 0;
    return address + value(extended(base, kRexB)) + displacement(bytes);
  }

  const mcontext_t& machine_;
  const unsigned char* const start_;
  Instruction read_;
};

}  // namespace

greg_t& general_register(mcontext_t& machine, unsigned number) {
  return machine.gregs[kRegisters[number]];
}

std::optional<Instruction> read_instruction(const mcontext_t& machine) {
  return Reader(machine).read();
}

}  // namespace simtrt

#endif
