#pragma once
// Collects findings while a kernel runs: the first of each kind and place is described, all count.
#include <cstdint>
#include "emulator/decode/program.hpp"

#include <jute/emulator/report.hpp>

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace jute::emulator {

/// Which thread does what, before it becomes text.
struct Actor {
  std::array<std::int64_t, 3> block{0, 0, 0};
  std::int64_t linear_block = 0;
  int thread = 0;
  std::int32_t origin = -1;
  const Program* program = nullptr;  ///< of another launch; nothing: the one that runs
};

[[nodiscard]] Party make_party(const Program& program, const Actor& actor);

/// One worker's findings. Merged in order of blocks, so that the result does not depend on threads.
class Diagnostics {
 public:
  explicit Diagnostics(const Program& program) : program_(&program) {}

  /// Counts a finding; true when it is the first of its code and place and wants a description.
  bool count(const char* code, const Actor& actor);
  void describe(const char* code, const Actor& actor, std::string message,
                std::vector<Actor> others = {});
  /// Tells the end of a launch once, by the first block that shows it.
  void describe_end(const char* code, const Actor& actor, std::string message);
  /// Keeps the text of a block's printf; no more than the device's buffer holds.
  void print(std::int64_t linear_block, const std::string& text);
  /// Block by block.
  [[nodiscard]] std::string printed() const;
  void merge(const Diagnostics& other);
  [[nodiscard]] std::vector<Finding> findings() const;
  [[nodiscard]] bool empty() const { return entries_.empty(); }

  Counters counters;

 private:
  struct Entry {
    std::int64_t linear_block = 0;
    Index count = 0;
    bool ends_launch = false;
    Finding finding;
  };
  struct Printed {
    std::int64_t linear_block = 0;
    std::string text;
  };
  const Program* program_;
  std::vector<Printed> printed_;
  size_t printed_bytes_ = 0;
  std::map<std::pair<std::string, std::int32_t>, Entry> entries_;
};

}  // namespace jute::emulator
