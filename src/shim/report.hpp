#pragma once
// Counts that outlive the programs that count, however these end: a file in memory.
#include <jute/shim/kept_calls.hpp>

#include <cstdint>
#include <string>

namespace jute::shim {

[[nodiscard]] std::string report_path(const std::string& kept_path);

/// Each process that serves a file adds to the same counts.
class Counts {
 public:
  /// Where its file cannot be made nothing is counted.
  Counts(const std::string& kept_path, const KeptCalls& kept);

  void add(ServedBy who) const { add(static_cast<std::size_t>(who)); }
  /// The kept call of this number was served.
  void add_call(std::size_t number) const { add(kServedBy + number); }

 private:
  void add(std::size_t place) const;

  std::uint64_t* counts_ = nullptr;
};

}  // namespace jute::shim
