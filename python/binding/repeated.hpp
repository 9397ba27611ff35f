#pragma once
// Calls like the one before: where arrays lie as they did, only addresses and the stream are new.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run.hpp"

namespace jute::python {

/// An array that an epilogue read, by its name.
struct RepeatedInput {
  nb::object name;
  Array array;
};

/// A product of arrays on a GPU, as it was called, and what it was prepared as.
struct Repeated {
  Array a, b, d;
  std::vector<RepeatedInput> inputs;  ///< by their places in the epilogue
  std::string epilogue;
  GemmArgs args;
  double alpha = 1, beta = 1;
  std::shared_ptr<Prepared> prepared;
};

/// A wish with types that are read as others, or numbers that runs say, is bound by every call
/// anew.
[[nodiscard]] bool may_repeat(const Wish& wish);

/// A call as it may be remembered; null where it has more than two operands, the epilogue's
/// arrays and a result, or runs on the emulator.
[[nodiscard]] std::shared_ptr<const Repeated> to_repeat(const Bound& bound,
                                                        const Operands& operands,
                                                        const std::string& epilogue,
                                                        std::shared_ptr<Prepared> prepared);

/// May one stand in the other's place, whatever its address?
[[nodiscard]] bool lies_as(const Array& one, const Array& other);

/// Reads the arrays of a call that has no more than two operands, its epilogue's and a result.
struct PlainCall {
  /// Lets the operands know what has been read; it must outlive their use, as the epilogue's text
  /// must outlive it.
  ///   throws  what array_of throws
  PlainCall(Operands& operands, const std::string& epilogue);
  [[nodiscard]] static bool is_one(const Operands& operands);
  PlainCall(const PlainCall&) = delete;
  PlainCall& operator=(const PlainCall&) = delete;

  Array a, b;
  const Operands& operands;
  const std::string& epilogue;
};

/// Runs the call as the one before it; a null object where it lies otherwise.
///   throws  what run() throws; unsupported: an operand's gradient is recorded, the result is
///           read-only
[[nodiscard]] nb::object run_again(const Repeated& last, const PlainCall& call);

/// The last calls, by where their operands lie and what becomes of the sums.
class RepeatedCalls {
 public:
  [[nodiscard]] nb::object run_again(const PlainCall& call) const;
  void remember(std::shared_ptr<const Repeated> call);

 private:
  static constexpr std::size_t kMost = 256;
  [[nodiscard]] static std::size_t place_of(const Array& a, const Array& b,
                                            const std::string& epilogue);
  std::array<std::shared_ptr<const Repeated>, kMost> calls_;
};

}  // namespace jute::python
