// Algorithms of simtblasLtMatmul.
#pragma once

#include "blaslt/matmul_plan.h"

namespace simtrt {

/// True if the algorithm was made, by the heuristic or by simtblasLtMatmulAlgoInit, for the types of the plan.
bool is_algorithm_for(const simtblasLtMatmulAlgo_t& algorithm, const LtPlan& plan);

}  // namespace simtrt
