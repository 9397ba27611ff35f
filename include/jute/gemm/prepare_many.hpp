#pragma once
// Many products made ready at once.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/plan/choose/cover.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace JUTE_API jute {

enum class Continue : std::uint8_t { yes, no };

/// The outcome of one problem: a Gemm, or why there is none. Neither: it had not begun.
struct Prepared {
  std::optional<Gemm> gemm{};
  std::optional<Error> error{};
};

/// One that has just been done, and how many are.
struct PrepareProgress {
  std::size_t place = 0;  ///< in the problems
  std::size_t done = 0, all = 0;
  const Prepared& prepared;
};

struct PrepareOptions {
  Config config{};
  int threads = 0;  ///< 0: as many as the machine has
  /// Told of each, by any of the threads, by one at a time; `no` leaves out what has not begun.
  std::function<Continue(const PrepareProgress&)> progress{};
};

/// Prepares each; those that are refused keep no other from being prepared. In their order.
///   throws  what `progress` throws, once those that have begun are done
[[nodiscard]] std::vector<Prepared> prepare(Context& context, std::span<const Problem> problems,
                                            const PrepareOptions& options = {});

/// Prepares one problem by each of the choices; `options.config` is of no use here.
///   throws  what `progress` throws
[[nodiscard]] std::vector<Prepared> prepare(Context& context, const Problem& problem,
                                            std::span<const Config> choices,
                                            const PrepareOptions& options = {});

/// Prepares the kernels of a cover, a Gemm for each of its problems. `options.config` is of no use
/// here.
///   throws  what `progress` throws
[[nodiscard]] std::vector<Prepared> prepare(Context& context, const Cover& cover,
                                            const PrepareOptions& options = {});

}  // namespace jute
