#pragma once

// Replaces a header that upstream's build generates. Upstream's header states whether c10_cuda is a
// shared library; here, c10_cuda is part of the kernels library.
