// Orderings of graphs that reduce the number of entries of factors, and matchings of rows and columns.
//
// A graph is a symmetric pattern without a diagonal (symmetric_graph).
//
// Threads: functions use only their arguments.
// Memory ordering: there are no atomics.
#pragma once

#include "solver_sparse/csr.h"

namespace simtrt::direct {

/// Reverse Cuthill-McKee ordering (George and Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981,
/// chapter 4): small bandwidth. Each connected component starts at a pseudo-peripheral node.
Permutation reverse_cuthill_mckee(const Pattern& graph);

/// Minimum degree ordering with a quotient graph and approximate degrees (Amestoy, Davis and Duff, SIAM J. Matrix Anal.
/// Appl. 17, 1996).
Permutation minimum_degree(const Pattern& graph);

/// Nested dissection with separators from level structures (George and Liu, chapter 8).
Permutation nested_dissection(const Pattern& graph);

/// Maximum matching of rows and columns of a square matrix. Element j of the result is the row that is matched with
/// column j, or -1. Depth-first search for augmenting paths (Duff, ACM Trans. Math. Softw. 7, 1981).
std::vector<int> maximum_matching(const Pattern& a);

/// Nodes of one connected component, in the order of a breadth-first search.
struct Levels {
  std::vector<int> nodes;
  std::vector<int> starts;  // position in `nodes` of the first node of each level, and the number of nodes

  int height() const { return static_cast<int>(starts.size()) - 1; }
};

/// Level structure of the part of a graph whose nodes have the mark `part`.
class LevelSearch {
 public:
  LevelSearch(const Pattern& graph, const std::vector<int>& part_of)
      : graph_(graph), part_of_(part_of), seen_(part_of.size(), 0) {}

  /// Breadth-first search from `root`.
  Levels from(int root);
  /// Level structure of a pseudo-peripheral node: a node, found from `start`, with a large distance from some other node.
  Levels from_peripheral(int start);
  int degree(int node) const { return graph_.end(node) - graph_.begin(node); }

 private:
  const Pattern& graph_;
  const std::vector<int>& part_of_;
  std::vector<int> seen_;  // number of the last search that reached the node
  int search_ = 0;
};

}  // namespace simtrt::direct
