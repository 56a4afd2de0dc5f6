// Decoder for the instruction that raised a signal: prefixes, opcode and memory operand, as needed for faults of
// kernels. x86-64 only.
//
// Threads: the signal handler calls the functions with the registers of the interrupted thread.
// There is no shared state.
#pragma once

#if defined(__x86_64__)

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace simtrt {

struct Instruction {
  bool has_operand_prefix = false;  ///< prefix 66: operands of 16 bits, or an SSE instruction
  unsigned repeat_prefix = 0;       ///< prefix f2 or f3: other SSE instructions
  unsigned rex = 0;
  /// Opcode map: 0 (one byte), 1 (after 0f), 2 (after 0f 38), 3 (after 0f 3a).
  unsigned map = 0;
  bool is_vex = false;
  unsigned char opcode = 0;
  /// The field `reg` of ModRM, without its extension.
  unsigned operation = 0;
  bool has_memory_operand = false;
  /// Address of the memory operand. The address is too low in one case: if it is relative to the
  /// next instruction and an immediate value follows the operand, the length of the value is
  /// missing.
  std::uint64_t address = 0;
  /// Register operand, if the instruction has no memory operand.
  unsigned register_operand = 0;
  /// Length in bytes, up to the end of the operand.
  std::size_t length = 0;
};

/// Reference to a general register, by its number in instructions.
greg_t& general_register(mcontext_t& machine, unsigned number);

/// Decodes the instruction at which a thread was interrupted; the instruction must have a ModRM
/// byte. Empty if the operand is in another segment or has a 32-bit address.
std::optional<Instruction> read_instruction(const mcontext_t& machine);

}  // namespace simtrt

#endif
