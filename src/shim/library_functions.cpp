// Looks functions of cuBLAS up in the library that a call is meant for.
#include "shim/library_functions.hpp"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <memory>

namespace jute::shim {
namespace {

template <class Function>
void bind(Function*& slot, const SeenLibrary& library, const char* name) {
  slot = reinterpret_cast<Function*>(::dlsym(library.open, name));
}

/// A table a version, made by whoever comes first. None is freed: calls come until a process ends.
template <class State, class Fill>
const State& kept_state(std::array<std::atomic<const State*>, 2>& states,
                        const SeenLibrary& library, Fill fill) {
  std::atomic<const State*>& place = states[library.version == 12 ? 0 : 1];
  if (const State* known = place.load(std::memory_order_acquire)) return *known;
  auto made = std::make_unique<State>();
  fill(*made);
  const State* expected = nullptr;
  if (place.compare_exchange_strong(expected, made.get())) return *made.release();
  return *expected;
}

}  // namespace

const BlasState& blas_state(const SeenLibrary& library) {
  static constinit std::array<std::atomic<const BlasState*>, 2> states{};
  return kept_state(states, library, [&](BlasState& state) {
    bind(state.stream, library, "cublasGetStream_v2");
    bind(state.pointer_mode, library, "cublasGetPointerMode_v2");
    bind(state.math_mode, library, "cublasGetMathMode");
    bind(state.sm_target, library, "cublasGetSmCountTarget");
    bind(state.emulation, library, "cublasGetEmulationStrategy");
  });
}

const LtState& lt_state(const SeenLibrary& library) {
  static constinit std::array<std::atomic<const LtState*>, 2> states{};
  return kept_state(states, library, [&](LtState& state) {
    bind(state.of_operation, library, "cublasLtMatmulDescGetAttribute");
    bind(state.of_layout, library, "cublasLtMatrixLayoutGetAttribute");
  });
}

}  // namespace jute::shim
