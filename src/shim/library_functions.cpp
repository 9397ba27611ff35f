// Looks functions of cuBLAS up in the library that a call is meant for.
#include "shim/library_functions.hpp"

#include <array>
#include <atomic>
#include <memory>

namespace jute::shim {
namespace {

/// A table a version, made by whoever comes first. None is freed: calls come until a process ends.
template <class State>
const State& kept_state(std::array<std::atomic<const State*>, 2>& states,
                        const SeenLibrary& library) {
  std::atomic<const State*>& place = states[library.version == 12 ? 0 : 1];
  if (const State* known = place.load(std::memory_order_acquire)) return *known;
  auto made = std::make_unique<State>(library.open, base::system_loader());
  const State* expected = nullptr;
  if (place.compare_exchange_strong(expected, made.get())) return *made.release();
  return *expected;
}

}  // namespace

const BlasState& blas_state(const SeenLibrary& library) {
  static constinit std::array<std::atomic<const BlasState*>, 2> states{};
  return kept_state(states, library);
}

const LtState& lt_state(const SeenLibrary& library) {
  static constinit std::array<std::atomic<const LtState*>, 2> states{};
  return kept_state(states, library);
}

}  // namespace jute::shim
