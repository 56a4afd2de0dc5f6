// Level structures of graphs, reverse Cuthill-McKee, and nested dissection.
#include <algorithm>

#include "solver_sparse/ordering.h"

namespace simtrt::direct {
namespace {

/// Parts with fewer nodes are ordered by minimum degree and not divided.
constexpr std::size_t kSmallPart = 64;
constexpr int kOrdered = -1;  // mark of nodes that have their place

/// Subgraph of the nodes `nodes`.
Pattern subgraph(const Pattern& graph, const std::vector<int>& nodes, std::vector<int>& number_of) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    number_of[static_cast<std::size_t>(nodes[i])] = static_cast<int>(i);
  }
  Pattern result;
  result.rows = result.columns = static_cast<int>(nodes.size());
  result.offsets.push_back(0);
  for (const int node : nodes) {
    for (int entry = graph.begin(node); entry < graph.end(node); ++entry) {
      const int number = number_of[static_cast<std::size_t>(graph.index(entry))];
      if (number >= 0) {
        result.indices.push_back(number);
      }
    }
    result.offsets.push_back(result.nnz());
  }
  for (const int node : nodes) {
    number_of[static_cast<std::size_t>(node)] = -1;
  }
  return result;
}

/// Level that divides a level structure into two parts of similar size.
int middle_level(const Levels& levels) {
  const int half = static_cast<int>(levels.nodes.size()) / 2;
  int level = 0;
  while (level + 1 < levels.height() - 1 &&
         levels.starts[static_cast<std::size_t>(level) + 1] <= half) {
    ++level;
  }
  return std::max(level, 1);
}

}  // namespace

Levels LevelSearch::from(int root) {
  ++search_;
  Levels levels;
  const int part = part_of_[static_cast<std::size_t>(root)];
  levels.nodes.push_back(root);
  levels.starts.push_back(0);
  seen_[static_cast<std::size_t>(root)] = search_;
  for (std::size_t begin = 0; begin < levels.nodes.size();) {
    const std::size_t end = levels.nodes.size();
    levels.starts.push_back(static_cast<int>(end));
    for (std::size_t i = begin; i < end; ++i) {
      const int node = levels.nodes[i];
      const std::size_t first = levels.nodes.size();
      for (int entry = graph_.begin(node); entry < graph_.end(node); ++entry) {
        const auto next = static_cast<std::size_t>(graph_.index(entry));
        if (part_of_[next] == part && seen_[next] != search_) {
          seen_[next] = search_;
          levels.nodes.push_back(graph_.index(entry));
        }
      }
      // Cuthill and McKee: the neighbours of a node follow in the order of their degrees.
      std::stable_sort(levels.nodes.begin() + static_cast<std::ptrdiff_t>(first),
                       levels.nodes.end(), [&](int a, int b) { return degree(a) < degree(b); });
    }
    begin = end;
  }
  return levels;
}

Levels LevelSearch::from_peripheral(int start) {
  Levels levels = from(start);
  while (true) {
    const auto last = levels.nodes.begin() + levels.starts[static_cast<std::size_t>(levels.height()) - 1];
    const int far = *std::min_element(last, levels.nodes.end(), [&](int a, int b) {
      return degree(a) < degree(b);
    });
    Levels next = from(far);
    if (next.height() <= levels.height()) {
      return next;
    }
    levels = std::move(next);
  }
}

Permutation reverse_cuthill_mckee(const Pattern& graph) {
  std::vector<int> part_of(static_cast<std::size_t>(graph.rows), 0);
  LevelSearch search(graph, part_of);
  Permutation order;
  for (int node = 0; node < graph.rows; ++node) {
    if (part_of[static_cast<std::size_t>(node)] == kOrdered) {
      continue;
    }
    for (const int next : search.from_peripheral(node).nodes) {
      part_of[static_cast<std::size_t>(next)] = kOrdered;
      order.push_back(next);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Permutation nested_dissection(const Pattern& graph) {
  std::vector<int> part_of(static_cast<std::size_t>(graph.rows), 0);
  std::vector<int> number_of(part_of.size(), -1);
  LevelSearch search(graph, part_of);
  Permutation reversed;  // separators precede the parts that they separate, and are reversed at the end
  int parts = 0;
  std::vector<std::vector<int>> waiting = {identity(graph.rows)};
  while (!waiting.empty()) {
    const std::vector<int> part = std::move(waiting.back());
    waiting.pop_back();
    if (part.size() < kSmallPart) {
      const Permutation local = minimum_degree(subgraph(graph, part, number_of));
      for (auto i = local.rbegin(); i != local.rend(); ++i) {
        reversed.push_back(part[static_cast<std::size_t>(*i)]);
        part_of[static_cast<std::size_t>(reversed.back())] = kOrdered;
      }
      continue;
    }
    const Levels levels = search.from_peripheral(part.front());
    std::vector<int> rest;
    if (levels.nodes.size() < part.size()) {  // several connected components
      const int own = ++parts;
      for (const int node : levels.nodes) {
        part_of[static_cast<std::size_t>(node)] = own;
      }
      std::copy_if(part.begin(), part.end(), std::back_inserter(rest), [&](int node) {
        return part_of[static_cast<std::size_t>(node)] != own;
      });
      waiting.push_back(std::move(rest));
      waiting.push_back(levels.nodes);
      continue;
    }
    // A dense part has too few levels for a separator.
    const bool divisible = levels.height() >= 3;
    const auto level = static_cast<std::size_t>(divisible ? middle_level(levels) : 0);
    const auto begin = levels.nodes.begin() + levels.starts[level];
    const auto end = divisible ? levels.nodes.begin() + levels.starts[level + 1] : levels.nodes.end();
    for (auto node = begin; node != end; ++node) {
      part_of[static_cast<std::size_t>(*node)] = kOrdered;
      reversed.push_back(*node);
    }
    for (auto [first, last] : {std::pair(levels.nodes.begin(), begin), std::pair(end, levels.nodes.end())}) {
      if (first == last) {
        continue;
      }
      const int own = ++parts;
      std::for_each(first, last, [&](int node) { part_of[static_cast<std::size_t>(node)] = own; });
      waiting.emplace_back(first, last);
    }
  }
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

}  // namespace simtrt::direct
