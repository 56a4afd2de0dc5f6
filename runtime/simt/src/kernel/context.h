// Switches between stacks: the few instructions of a fiber.
//
// Ownership: the caller owns the stacks; a StackPointer refers to one.
// Threads: a context is suspended and resumed by the same thread of the operating system.
// Memory ordering: there are no atomics; program order holds across a switch.
#pragma once

namespace simtrt {

/// A suspended flow of control: where its stack stood. Its registers lie on that stack.
using StackPointer = void*;

/// Suspends the caller into `*from` and goes on where `to` was suspended.
extern "C" void simtrt_switch_context(StackPointer* from, StackPointer to);

/// A flow that calls `entry`, which must not return, on the stack that ends below `top`.
StackPointer make_context(void* top, void (*entry)());

}  // namespace simtrt
