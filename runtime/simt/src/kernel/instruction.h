// The instruction that raised a signal, as far as faults of kernels need it: prefixes, opcode and the memory operand.
// x86-64 alone.
//
// Ownership, threads, memory ordering: the signal handler calls the functions on the registers of the
// interrupted thread. There is no shared state.
#pragma once

#if defined(__x86_64__)

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace simtrt {

struct Instruction {
  bool has_operand_prefix = false;  ///< 66: operands of 16 bits, or a form of SSE
  unsigned repeat_prefix = 0;       ///< f2 or f3: other forms of SSE
  unsigned rex = 0;
  /// Maps of opcodes: 0 (one byte), 1 (behind 0f), 2 (behind 0f 38), 3 (behind 0f 3a).
  unsigned map = 0;
  bool is_vex = false;
  unsigned char opcode = 0;
  /// The field `reg` of ModRM, without its extension.
  unsigned operation = 0;
  bool has_memory_operand = false;
  /// Of the memory operand. Right for those without bytes of an immediate value behind it, or that are not relative to
  /// the next instruction.
  std::uint64_t address = 0;
  /// The register that is the operand where there is none in memory.
  unsigned register_operand = 0;
  /// Up to the end of the operand.
  std::size_t length = 0;
};

/// The value of a general register by its number in instructions.
greg_t& general_register(mcontext_t& machine, unsigned number);

/// The instruction at which a thread was interrupted; it has a ModRM byte. None where its operand lies in another segment
/// or has an address of 32 bits.
std::optional<Instruction> read_instruction(const mcontext_t& machine);

}  // namespace simtrt

#endif
