#pragma once
// Elements of a View that threads move together: those that lie side by side.
#include <jute/plan/ask/view.hpp>

#include <cstdint>
#include <optional>

namespace JUTE_API jute {

/// Which of a View's coordinates counts the elements of a row of its copy.
enum class RowsOfCopy : std::uint8_t { along_columns, along_rows };

/// Neighbours that lie across the copy's rows: those of one mode of the other coordinate.
struct AcrossRows {
  Index unit = 1;    ///< coordinates from one neighbour to the next
  Index extent = 0;  ///< neighbours of one run; 0: as many as there are, for no mode follows
  int lanes = 1;     ///< of a warp, each with 16 bytes of neighbours: 1, 2 or 4
  bool operator==(const AcrossRows&) const = default;
};

/// How a thread takes 16 bytes of a row of the copy.
struct ViewTogether {
  int elems = 1;  ///< one access moves them: along a row, or across rows where neighbours lie so
  /// Elements from one to the next along a row, which is read as so many whole chunks of 16 bytes;
  /// 1: the row is no such one.
  int step = 1;
  std::optional<AcrossRows> across{};  ///< a square of 16 bytes by 16 bytes a thread
  bool operator==(const ViewTogether&) const = default;
};

/// Chunks of 16 bytes of a copy that a thread moves where neighbours do not lie across its rows.
inline constexpr int kViewedChunks = 2;

/// For literal numbers, with an address that is a multiple of `alignment_bytes`; one by one where
/// each run says the numbers.
///   units    width_bytes: of an element
///   example  ((48,64),768):((49152,1),64) of 2-byte elements along columns: across, 64 neighbours
///            48 rows apart, 8 elems an access
///   throws   as modes_of
[[nodiscard]] ViewTogether view_together(const View& view, RowsOfCopy rows, int width_bytes,
                                         int alignment_bytes);

}  // namespace jute
