#pragma once

#include "Version.h"

#include <ATen/core/Generator.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/CUDAGraph.h>

#include <string>

namespace at::cuda::backend::release {

#define BACKEND_NO_GRAPH_FUNCTION(what) \
  TORCH_CHECK_NOT_IMPLEMENTED(false, what, " is not in PyTorch ", TORCH_VERSION)

// From 2.4 to 2.13, graphs register generators.
template <class Graph>
auto registerGenerator(Graph& graph, const Generator& generator, int /*preferred*/)
    -> decltype(graph.register_generator_state(generator)) {
  graph.register_generator_state(generator);
}

// From 2.14 on, generators register graphs.
template <class Graph, class Implementation = CUDAGeneratorImpl>
auto registerGenerator(Graph& graph, const Generator& generator, long /*otherwise*/)
    -> decltype(std::declval<Implementation&>().register_graph(&graph)) {
  check_generator<Implementation>(generator)->register_graph(&graph);
}

template <class Graph>
void registerGenerator(Graph& /*graph*/, const Generator& /*generator*/, ...) {
  BACKEND_NO_GRAPH_FUNCTION("register_generator_state");
}

// PyTorch removed the graph's member function debug_dump in 2.14.
template <class Graph>
auto debugDump(Graph& graph, const std::string& path, int /*preferred*/)
    -> decltype(graph.debug_dump(path)) {
  graph.debug_dump(path);
}

template <class Graph>
void debugDump(Graph& /*graph*/, const std::string& /*path*/, long /*otherwise*/) {
  BACKEND_NO_GRAPH_FUNCTION("debug_dump");
}

}  // namespace at::cuda::backend::release
