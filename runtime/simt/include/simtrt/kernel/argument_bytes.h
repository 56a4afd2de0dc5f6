// Kernel arguments of classes with copy constructors or destructors of their own. CUDA C++
// Programming Guide, "__global__ Function Argument Processing": the host copies an argument with
// its copy constructor and destroys the copy when the launch returns; the kernel gets the copy's
// bytes. Neither copy constructors nor destructors run in the kernel.
//
// A C++ call passes such a class as a reference to a copy that the caller makes and destroys
// (Itanium C++ ABI, "Non-Trivial Parameters"). A kernel is therefore called by a type with
// references in place of these parameters, and gets references to bytes.
//
// Ownership: a call owns the bytes of its arguments; each thread has a copy of the bytes.
// Threads, memory ordering: as in launch.h.
#pragma once

#include <cstring>
#include <tuple>
#include <type_traits>

namespace simtrt {

/// True for classes that a call passes as a reference to a copy.
template <class T>
inline constexpr bool kIsPassedByReference =
    !std::is_trivially_destructible_v<T> ||
    (std::is_copy_constructible_v<T> && !std::is_trivially_copy_constructible_v<T>) ||
    (std::is_move_constructible_v<T> && !std::is_trivially_move_constructible_v<T>);

/// True if at least one parameter has a destructor, so that copies by the threads of the kernel would be destroyed. Copies
/// by a constructor alone are harmless, and such kernels can be inlined into the loop over the threads.
template <class... Parameters>
inline constexpr bool kHasClassArguments = (!std::is_trivially_destructible_v<std::decay_t<Parameters>> || ...);

template <class T>
struct ArgumentBytes {
  alignas(T) unsigned char bytes[sizeof(T)];
};

/// Argument of a parameter of type `Parameter` in a call, and how the call passes it.
template <class Parameter, bool = kIsPassedByReference<std::decay_t<Parameter>>>
struct KernelArgument {
  using Type = std::decay_t<Parameter>;
  using Stored = Type;
  using Passed = Parameter;
  static Stored stored(const Type& value) { return value; }
  static Type& of(Stored& stored) { return stored; }
};
template <class Parameter>
struct KernelArgument<Parameter, true> {
  using Type = std::decay_t<Parameter>;
  using Stored = ArgumentBytes<Type>;
  using Passed = Type&;
  static Stored stored(const Type& value) {
    Stored stored;
    std::memcpy(stored.bytes, static_cast<const void*>(&value), sizeof(Type));
    return stored;
  }
  static Type& of(Stored& stored) { return *reinterpret_cast<Type*>(stored.bytes); }
};

/// A kernel with its arguments, as bytes where necessary.
template <class... Parameters>
struct BytesCall {
  using Kernel = void (*)(typename KernelArgument<Parameters>::Passed...);

  BytesCall(const void* address, const std::decay_t<Parameters>&... values)
      : kernel(reinterpret_cast<Kernel>(const_cast<void*>(address))),
        arguments(KernelArgument<Parameters>::stored(values)...) {}

  void operator()() {
    auto copies = arguments;  // the parameters of one thread
    std::apply(
        [this](auto&... stored) {
          kernel(static_cast<typename KernelArgument<Parameters>::Passed>(
              KernelArgument<Parameters>::of(stored))...);
        },
        copies);
  }

  Kernel kernel;
  std::tuple<typename KernelArgument<Parameters>::Stored...> arguments;
};

}  // namespace simtrt
