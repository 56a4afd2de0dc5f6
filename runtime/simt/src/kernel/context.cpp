#include "kernel/context.h"

#include <cstdint>
#include <cstring>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ucontext.h>

#include <new>
#endif

namespace simtrt {
namespace {

[[maybe_unused]] std::uintptr_t aligned_top(void* top) {
  return reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{63};
}

}  // namespace

#if defined(__x86_64__)

// System V ABI, AMD64: rbx, rbp and r12 to r15 are callee-saved, as are the control bits of mxcsr
// and of the x87 unit, which kernels do not change.
asm(R"(
.text
.globl simtrt_switch_context
.hidden simtrt_switch_context
.type simtrt_switch_context, @function
.align 16
simtrt_switch_context:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size simtrt_switch_context, . - simtrt_switch_context
)");

StackPointer make_context(void* top, void (*entry)()) {
  // Initial stack, from its end: a return address of zero, at which a stack trace ends; the address
  // for `ret`; six registers. At the first instruction, the stack pointer is 8 below a multiple of
  // 16, as after a call.
  auto* slot = reinterpret_cast<std::uintptr_t*>(aligned_top(top));
  *--slot = 0;
  *--slot = reinterpret_cast<std::uintptr_t>(entry);
  for (int saved = 0; saved < 6; ++saved) *--slot = 0;
  return slot;
}

#elif defined(__aarch64__)

// Procedure Call Standard for the Arm 64-bit Architecture: x19 to x30 and the low halves of v8 to
// v15 are callee-saved.
asm(R"(
.text
.globl simtrt_switch_context
.hidden simtrt_switch_context
.type simtrt_switch_context, %function
.align 4
simtrt_switch_context:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
.size simtrt_switch_context, . - simtrt_switch_context
)");

StackPointer make_context(void* top, void (*entry)()) {
  auto* frame = reinterpret_cast<std::uintptr_t*>(aligned_top(top) - 160);
  std::memset(frame, 0, 160);
  frame[11] = reinterpret_cast<std::uintptr_t>(entry);  // x30, the target of `ret`
  return frame;
}

#else

// On other processors, functions of the C library switch contexts; each switch needs a system call
// for the signal mask. A StackPointer then points to a ucontext_t. A new context has its ucontext_t
// at the top of its stack; a suspended context has it in the frame of the switch.
extern "C" void simtrt_switch_context(StackPointer* from, StackPointer to) {
  ucontext_t here;
  *from = &here;
  swapcontext(&here, static_cast<ucontext_t*>(to));
}

StackPointer make_context(void* top, void (*entry)()) {
  constexpr std::size_t kStackBelow = 64 * 1024;
  auto* context = reinterpret_cast<ucontext_t*>(
      (reinterpret_cast<std::uintptr_t>(top) - sizeof(ucontext_t)) & ~std::uintptr_t{63});
  getcontext(context);
  context->uc_stack.ss_sp = reinterpret_cast<char*>(context) - kStackBelow;
  context->uc_stack.ss_size = kStackBelow;
  context->uc_link = nullptr;
  makecontext(context, entry, 0);
  return context;
}

#endif

}  // namespace simtrt
