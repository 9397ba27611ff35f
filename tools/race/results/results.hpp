#pragma once
// What a race has shown, as values and as CSV.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jute::bench {

/// How contestants were timed against each other.
enum class Mode : std::uint8_t {
  cool,       ///< graphs of launches, the device at rest before each replay
  pdl_off,    ///< the same with every launch waiting for the end of the one before it
  stream,     ///< cool, launches put on a stream one by one
  chain,      ///< cool, A is the D of the launch before
  sustained,  ///< without a rest, after two seconds of load
  cold,       ///< one launch a timing, the L2 cache full of other, modified lines
};
inline constexpr int kModeCount = 6;
/// "cool", "pdl off", "stream", "chain", "sustained", "cold"
[[nodiscard]] std::string_view name(Mode mode);
[[nodiscard]] std::optional<Mode> find_mode(std::string_view name);

enum class Side : std::uint8_t {
  jute,
  plain,  ///< jute too, without the epilogue that the others compute
  peer,
};
inline constexpr int kSideCount = 3;
[[nodiscard]] std::string_view name(Side side);  ///< jute, plain, peer
[[nodiscard]] std::optional<Side> find_side(std::string_view name);

/// One contestant in one mode of one case.
struct Result {
  std::string case_id;
  Mode mode = Mode::cool;
  Side side = Side::jute;
  std::string contestant;  ///< "planned", a Config, or what a peer calls its algorithm
  double us = 0;           ///< median over the rounds, a launch; 0: not timed, the note says why
  /// Median over the rounds of the fastest peer's time / own time, and the extremes: above 1 is
  /// faster than the peer. 0: there is no peer.
  double ratio = 0, least = 0, most = 0;
  double of_plain = 0;  ///< median over the rounds of own time / that of the plain side; 0: none
  double mhz = 0;       ///< SM clock during the replays, by the cycle counter; 0: unknown
  double watts = 0;     ///< 0: unknown
  double error = -1;    ///< worst |D - reference| / bound of the samples; negative: not judged
  int registers = 0, spill_bytes = 0;
  bool is_overlapped = false;  ///< by programmatic dependent launch
  double flop = 0, bytes = 0;  ///< of one run: work, and the least traffic
  std::string note;

  bool operator==(const Result&) const = default;
};
[[nodiscard]] double tflops(const Result& result);
/// False: D is wrong somewhere, or was not written.
[[nodiscard]] bool is_right(const Result& result);

/// The machine that raced, and its ceilings; 0: unknown.
struct Machine {
  std::string device, driver, cublas;
  int arch = 0;  ///< 90 for sm_90a
  int sm_count = 0;
  double peak_mhz = 0;          ///< highest SM clock
  double bytes_per_second = 0;  ///< device memory, by its clock and width
  bool operator==(const Machine&) const = default;
};

/// All of one case.
struct CaseReport {
  std::string id, problem, note;
  int launches = 0, sets = 0;  ///< of a graph; operand sets that take turns
  std::vector<Result> results;
};

/// One line, without its end; texts with commas are quoted, line ends in them become blanks.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& cells);
/// The cells of one line; what stands in quotes is one.
[[nodiscard]] std::vector<std::string> csv_cells(std::string_view line);
/// throws  bad_file: there are not so many
[[nodiscard]] std::vector<std::string> csv_cells(std::string_view line, std::size_t count);
/// The names of a result's columns, and its cells.
[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string to_csv(const Result& result);
/// throws  bad_file
[[nodiscard]] Result result_of_csv(std::string_view line);

}  // namespace jute::bench
