#pragma once
// A kernel in time, as its schedule orders it: when stages are filled, read and free again.
#include <jute/plan/values/plan.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace jute::command {

/// The work in a row of a timeline.
enum class Activity : std::uint8_t {
  on_its_way,  ///< bytes were asked for
  waiting,     ///< they are there, nobody reads them yet
  read,        ///< products read them
  multiply,
  store,  ///< registers go to shared memory
  drain,  ///< accumulators become D
};

/// Times count k-tiles: the products of one take 1.
struct TimelineSpan {
  int row = 0;
  double begin = 0.0, end = 0.0;
  Activity activity = Activity::multiply;
  int tile = 0, k_tile = 0;  ///< both from 0, of what the block does; k_tile of a drain is 0
};

struct Timeline {
  std::string title;
  std::vector<std::string> rows;  ///< who loads; stages; who multiplies
  std::vector<TimelineSpan> spans;
  std::vector<std::string> notes;
  double end = 0.0;
};

/// The first tiles of a block. No clock takes part: a load takes two k-tiles, a drain two.
[[nodiscard]] Timeline timeline(const GemmStep& step);

/// A self-contained SVG document.
[[nodiscard]] std::string to_svg(const Timeline& timeline);

}  // namespace jute::command
