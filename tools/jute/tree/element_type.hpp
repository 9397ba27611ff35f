#pragma once
// What the target of an option holds.
#include <optional>
#include <vector>

namespace jute::command {

/// T of T, std::optional<T> and std::vector<T>.
template <class T>
struct Element {
  using Type = T;
};
template <class T>
struct Element<std::optional<T>> {
  using Type = T;
};
template <class T>
struct Element<std::vector<T>> {
  using Type = T;
};

}  // namespace jute::command
