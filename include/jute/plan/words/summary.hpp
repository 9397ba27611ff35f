#pragma once
// A plan in three sentences: what runs, what it is expected to take, and why it is this.
#include <jute/base/export.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/values/fields.hpp>

#include <optional>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// Bytes that a run of a completed problem moves at least: each operand, and whatever its epilogue
/// names, read or written once; C where that beta has it read.
[[nodiscard]] double least_bytes(const Problem& problem, double beta = 1.0);

/// The bound of a run from below.
enum class Bound : std::uint8_t { none, multiply_adds, memory };

/// The time of a run among others of its kind, each begun as the last ends, and what its
/// multiply-adds and its memory would take alone at the chip's rates.
struct ExpectedTime {
  double multiply_adds = 0;        ///< of all steps' products; split operands have several
  double multiply_adds_us = 0;     ///< 0 where the data sheet has no rate for the types
  double multiply_adds_clock = 0;  ///< that rate, of an SM in a clock
  double mhz = 0;                  ///< of SMs
  double bytes = 0;                ///< least_bytes, of a run that reads C if it may
  double memory_us = 0;
  double memory_gb_s = 0;
  Bound bound = Bound::none;  ///< the longer of both
  double bound_us = 0;
  double clocks = 0;  ///< of an SM, as the cost model has it; 0: it says nothing of such a kernel
  /// By the model, and never less than the bound; where it says nothing, the bound.
  double us = 0;
};
[[nodiscard]] ExpectedTime expected_time(const Plan& plan);

/// A note on the chip for readers: that jute has no kernels of its own instructions, and
/// which ones serve. Empty where there is nothing to say.
[[nodiscard]] std::string chip_note(const Plan& plan, const Catalogue& catalogue = {});

struct Summary {
  std::string runs, expected, why;  ///< a sentence each, or a few short ones
  ExpectedTime time;
};
/// `candidates` are what `considered` says of the plan's problem and choices.
[[nodiscard]] Summary summary(const Plan& plan, const std::vector<Considered>& candidates,
                              const Config& config = {}, const Catalogue& catalogue = {});

/// The sentences, and every number that they name: times in nanoseconds.
[[nodiscard]] Fields fields(const Summary& summary);
/// Three lines.
[[nodiscard]] std::string to_string(const Summary& summary);

}  // namespace jute
