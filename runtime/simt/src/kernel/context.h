// Switches between stacks, the base of fibers.
//
// Ownership: the caller owns the stacks; a StackPointer refers to one.
// Threads: a context is suspended and resumed by the same thread of the operating system.
// Memory ordering: there are no atomics; program order holds across a switch.
#pragma once

namespace simtrt {

/// Stack pointer of a suspended context. The context's registers are on its stack.
using StackPointer = void*;

/// Suspends the calling context, stores its stack pointer in `*from`, and resumes the context `to`.
extern "C" void simtrt_switch_context(StackPointer* from, StackPointer to);

/// Creates a context that calls `entry`, which must not return, on the stack that ends below `top`.
StackPointer make_context(void* top, void (*entry)());

}  // namespace simtrt
