#pragma once

#include "Library.h"

// Choice of the library for one layer, for the operators in this folder.
namespace at::cuda::backend::dnn {

/// Kinds of layers, in the order of the groups in `Library`.
enum class Kind { convolution, batch_norm, attention, recurrent };
constexpr std::array<const char*, 4> kKinds{"convolution", "batch_norm", "attention", "recurrent"};

/// Selected implementation; initially, the first one that the profile lists.
const Library& selected();

/// First implementation in the list that has convolutions. Throws if there is none.
const Library& withConvolutions();

/// Position of a library in the list, and the library at a position.
int64_t positionOf(const Library& library);
const Library& libraryAt(int64_t position);

/// Counts a layer that `library` has computed; null: PyTorch's own kernels.
void count(Kind kind, const Library* library);

/// Test whether the tensors are ordinary tensors of one device: dense, not empty, without the
/// subclasses and modes by which PyTorch traces and transforms functions. Undefined tensors are left
/// out.
bool areOrdinary(TensorList tensors);

}  // namespace at::cuda::backend::dnn
