// Functions that the debugger's commands call (runtime/simt/gdb/simt_commands.py): the running block of a thread of the
// operating system, and the state of the block's threads.
//
// Ownership: the texts belong to the calling thread, and live until its next call.
// Threads: the debugger calls a function on a stopped thread. Memory ordering: there are no atomics.
#include "kernel/block_scheduler.h"
#include "kernel/fault_report.h"

#include <string>

namespace simtrt {

/// View of a scheduler's private members.
struct DebuggerView {
  static std::string state(const BlockScheduler& scheduler, unsigned thread, StackPointer* stack) {
    if (thread >= scheduler.cursor_.threads) return "";
    if (thread == scheduler.rank()) return "runs";
    if (!scheduler.cursor_.interleaved)
      return thread < scheduler.rank() ? "has returned" : "has not begun";
    const auto& known = scheduler.thread_states_[thread];
    if (known.returned) return "has returned";
    if (known.fiber == nullptr || known.wait == WaitReason::kNone) return "has not begun, or can continue";
    *stack = known.fiber->suspended();
    return "waits" + describe_wait(known.wait, known.rendezvous, known.site);
  }
};

}  // namespace simtrt

namespace {

thread_local void* waiting_stack = nullptr;

}  // namespace

// gdb calls one function at a time, so that the texts need no copy for each thread.
extern "C" {

/// "kernel scale, block (0,0,0), thread (3,0,0)" of the calling thread; empty outside of kernels.
SIMTRT_EXPORT const char* simtDebugBlock() {
  static std::string text;
  const simtrt::BlockScheduler* scheduler = simtrt::BlockScheduler::current();
  if (scheduler == nullptr) return "";
  std::string name = scheduler->grid().kernel->site.kernel;
  if (name.size() > 2 && name.front() == '(' && name.back() == ')') name = name.substr(1, name.size() - 2);
  text = "kernel " + name + ", " + scheduler->place();
  return text.c_str();
}

/// State of a thread of the caller's block: "runs", "waits for the block at __syncthreads in scale(int*)+0x20". Empty
/// for a thread that the block does not have, and outside of kernels.
SIMTRT_EXPORT const char* simtDebugThread(unsigned x, unsigned y, unsigned z) {
  static std::string text;
  const simtrt::BlockScheduler* scheduler = simtrt::BlockScheduler::current();
  waiting_stack = nullptr;
  if (scheduler == nullptr) return "";
  const dim3& block = scheduler->grid().config.block;
  if (x >= block.x || y >= block.y || z >= block.z) return "";
  text = simtrt::DebuggerView::state(*scheduler, x + block.x * (y + block.y * z), &waiting_stack);
  return text.c_str();
}

/// Stack pointer of the thread in the caller's last call of simtDebugThread; null if that thread does not wait. The
/// registers of the thread are on its stack (context.cpp).
SIMTRT_EXPORT void* simtDebugStack() { return waiting_stack; }

}

#if defined(__x86_64__)

// simtDebugCall calls the function in rdi with the arguments in rsi, rdx and rcx. At simtDebugCalled, where the
// debugger has a breakpoint, the result is in rax. The debugger restores the general registers, and XSAVE and XRSTOR
// the others: on a processor with AMX, gdb 13.1 cannot write these ("Couldn't write extended state status: Bad
// address"), so that its own calls of functions fail. CPUID's leaf 0xd gives the size of the saved state in ebx; bytes
// 512 to 575 are its header, whose unused part must be zero for XRSTOR.
//
// simtDebugReturn continues at the address on top of the stack, and removes the address and the red zone (128 bytes).
// The debugger's last stop has to be where the program stopped, or a breakpoint there is hit twice.
asm(R"(
.text
.globl simtDebugCall
.type simtDebugCall, @function
.align 16
simtDebugCall:
    cld
    movq %rdi, %r12
    movq %rsi, %r13
    movq %rdx, %r14
    movq %rcx, %r15
    movl $0xd, %eax
    xorl %ecx, %ecx
    cpuid
    subq %rbx, %rsp
    andq $-64, %rsp
    leaq 512(%rsp), %rdi
    movl $8, %ecx
    xorl %eax, %eax
    rep stosq
    movl $-1, %eax
    movl $-1, %edx
    xsave64 (%rsp)
    movq %rsp, %rbx
    movq %r13, %rdi
    movq %r14, %rsi
    movq %r15, %rdx
    call *%r12
    movq %rax, %r12
    movl $-1, %eax
    movl $-1, %edx
    xrstor64 (%rbx)
    movq %r12, %rax
.globl simtDebugCalled
simtDebugCalled:
    int3
.size simtDebugCall, . - simtDebugCall
.globl simtDebugReturn
.type simtDebugReturn, @function
simtDebugReturn:
    ret $128
.size simtDebugReturn, . - simtDebugReturn
)");

#endif
