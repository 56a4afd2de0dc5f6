// Minimum degree ordering.
//
// The quotient graph has variables, which are not yet eliminated, and elements, which are eliminated nodes. An element
// represents the clique of its variables. The elimination of a variable merges all elements of this variable.
#include <algorithm>

#include "solver_sparse/ordering.h"

namespace simtrt::direct {
namespace {

/// Variables by their approximate degree: a doubly linked list for each degree.
class DegreeLists {
 public:
  explicit DegreeLists(int n)
      : first_(static_cast<std::size_t>(n), kNone),
        next_(static_cast<std::size_t>(n), kNone),
        previous_(static_cast<std::size_t>(n), kNone),
        degree_(static_cast<std::size_t>(n), kNone) {}

  int degree(int variable) const { return degree_[at(variable)]; }

  void insert(int variable, int degree) {
    degree_[at(variable)] = degree;
    previous_[at(variable)] = kNone;
    next_[at(variable)] = first_[at(degree)];
    if (first_[at(degree)] != kNone) {
      previous_[at(first_[at(degree)])] = variable;
    }
    first_[at(degree)] = variable;
    least_ = std::min(least_, degree);
  }

  void remove(int variable) {
    const int before = previous_[at(variable)];
    const int after = next_[at(variable)];
    (before == kNone ? first_[at(degree(variable))] : next_[at(before)]) = after;
    if (after != kNone) {
      previous_[at(after)] = before;
    }
  }

  /// Variable of the smallest degree. At least one variable is in the lists.
  int least() {
    while (first_[at(least_)] == kNone) {
      ++least_;
    }
    return first_[at(least_)];
  }

 private:
  static constexpr int kNone = -1;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  std::vector<int> first_, next_, previous_, degree_;
  int least_ = 0;
};

class QuotientGraph {
 public:
  explicit QuotientGraph(const Pattern& graph)
      : n_(graph.rows), lists_(graph.rows), variables_(size()), elements_(size()), members_(size()),
        is_eliminated_(size(), 0), is_absorbed_(size(), 0), mark_(size(), -1), outside_of_(size(), -1),
        outside_(size(), 0) {
    for (int i = 0; i < n_; ++i) {
      variables_[at(i)].assign(graph.indices.begin() + graph.begin(i),
                               graph.indices.begin() + graph.end(i));
      lists_.insert(i, graph.end(i) - graph.begin(i));
    }
  }

  Permutation order() {
    Permutation result;
    result.reserve(size());
    while (static_cast<int>(result.size()) < n_) {
      const int pivot = lists_.least();
      lists_.remove(pivot);
      result.push_back(pivot);
      eliminate(pivot, n_ - static_cast<int>(result.size()));
    }
    return result;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::size_t size() const { return static_cast<std::size_t>(n_); }

  /// Makes an element of `pivot`. `remaining` variables are left.
  void eliminate(int pivot, int remaining) {
    is_eliminated_[at(pivot)] = 1;
    std::vector<int> clique = clique_of(pivot);
    count_outside(clique, pivot);
    for (const int i : clique) {
      update(i, pivot, static_cast<int>(clique.size()), remaining);
    }
    members_[at(pivot)] = std::move(clique);
    std::vector<int>().swap(variables_[at(pivot)]);
    std::vector<int>().swap(elements_[at(pivot)]);
  }

  /// Neighbours of `pivot`, marked with `pivot`. Absorbs the elements of `pivot`.
  std::vector<int> clique_of(int pivot) {
    mark_[at(pivot)] = pivot;
    std::vector<int> clique;
    const auto add = [&](const std::vector<int>& nodes) {
      for (const int i : nodes) {
        if (is_eliminated_[at(i)] == 0 && mark_[at(i)] != pivot) {
          mark_[at(i)] = pivot;
          clique.push_back(i);
        }
      }
    };
    add(variables_[at(pivot)]);
    for (const int element : elements_[at(pivot)]) {
      if (is_absorbed_[at(element)] == 0) {
        add(members_[at(element)]);
        absorb(element);
      }
    }
    return clique;
  }

  /// Counts, for each element next to the clique, its members outside the clique.
  void count_outside(const std::vector<int>& clique, int pivot) {
    for (const int i : clique) {
      for (const int element : elements_[at(i)]) {
        if (is_absorbed_[at(element)] != 0) {
          continue;
        }
        if (outside_of_[at(element)] != pivot) {
          outside_of_[at(element)] = pivot;
          outside_[at(element)] = static_cast<int>(members_[at(element)].size());
        }
        --outside_[at(element)];
      }
    }
  }

  /// Replaces the neighbours of `i` inside the clique by the element `pivot`, and computes the degree of `i`.
  void update(int i, int pivot, int clique_size, int remaining) {
    std::vector<int>& variables = variables_[at(i)];
    variables.erase(std::remove_if(variables.begin(), variables.end(),
                                   [&](int j) {
                                     return is_eliminated_[at(j)] != 0 || mark_[at(j)] == pivot;
                                   }),
                    variables.end());
    int degree = static_cast<int>(variables.size()) + clique_size - 1;
    std::vector<int>& elements = elements_[at(i)];
    std::size_t kept = 0;
    for (const int element : elements) {
      if (is_absorbed_[at(element)] != 0) {
        continue;
      }
      if (outside_[at(element)] == 0) {  // the clique contains all members
        absorb(element);
        continue;
      }
      // Elements may share members, so that the sum is an upper bound.
      degree += outside_[at(element)];
      elements[kept++] = element;
    }
    elements.resize(kept);
    elements.push_back(pivot);
    degree = std::min({degree, remaining - 1, lists_.degree(i) + clique_size - 1});
    lists_.remove(i);
    lists_.insert(i, degree);
  }

  void absorb(int element) {
    is_absorbed_[at(element)] = 1;
    std::vector<int>().swap(members_[at(element)]);
  }

  int n_;
  DegreeLists lists_;
  std::vector<std::vector<int>> variables_;  // neighbours of a variable that no common element represents
  std::vector<std::vector<int>> elements_;   // elements of a variable
  std::vector<std::vector<int>> members_;    // variables of an element
  std::vector<char> is_eliminated_, is_absorbed_;
  std::vector<int> mark_;        // last pivot whose clique contains the variable
  std::vector<int> outside_of_;  // pivot to which outside_ belongs
  std::vector<int> outside_;
};

}  // namespace

Permutation minimum_degree(const Pattern& graph) { return QuotientGraph(graph).order(); }

}  // namespace simtrt::direct
