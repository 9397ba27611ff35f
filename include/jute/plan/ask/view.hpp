#pragma once
// A View: what an operand's coordinates mean in memory, as a layout.
#include <jute/base/export.hpp>
#include <jute/layout/layout.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// A dimension of the memory behind a View.
struct BoxMode {
  Index extent = 1;
  Index stride = 0;  ///< elements between neighbours; never negative
  bool operator==(const BoxMode&) const = default;
};

/// The value of coordinates outside the box.
enum class OutsideBox : std::uint8_t {
  promised_inside,  ///< there are none
  zero,             ///< zeros: padding
};

/// Who says a View's extents, strides and origin.
enum class ViewNumbers : std::uint8_t {
  literal,   ///< the kernel holds them
  run_time,  ///< each run, of a View with as many modes; those here are what is planned for
};

/// Most modes of a View whose numbers a run says, of all its coordinates together.
inline constexpr int kMostRunTimeModes = 8;

/// Where the elements of an operand lie. `coordinates` has a mode for each of the operand's
/// dimensions: (M,K) of A, (N,K) of B, (M,N) of C and D, and the batch behind them (two modes:
/// every matrix of the batch is the first). Each may have modes of its own and is counted through
/// them, the first the fastest. What it gives is a place of the box, from `origin` on: `2@0` steps
/// twice along the box's first dimension, a plain number along its only one. Without a box the
/// place is the element itself.
///   example  rows in reverse, `(64,32):(-1@0,1@1)` of the box (64,32):(32,1) from (63,0)
struct View {
  Layout coordinates{};
  std::vector<BoxMode> box{};
  std::vector<Index> origin{};  ///< a place of the box; empty: its corner
  OutsideBox outside = OutsideBox::promised_inside;
  ViewNumbers numbers = ViewNumbers::literal;
  bool operator==(const View&) const = default;
};

/// `((64,8),128):((128,65536),1)`, and what is not usual behind semicolons:
/// `…;box=(8,32):(32,1);origin=(0,-1);outside=zero`, `…;numbers=run-time`.
[[nodiscard]] std::string to_string(const View& view);
/// Reads it; blanks are skipped.
///   throws  syntax, unknown_name, and what layouts refuse, with the position
[[nodiscard]] View parse_view(std::string_view text);

/// A leaf of a View's coordinates: so many steps along a dimension of the box.
struct ViewMode {
  Index extent = 1;
  int axis = 0;
  Index stride = 0;  ///< of a step, in places of that dimension
  bool operator==(const ViewMode&) const = default;
};

/// A View taken apart. Of an operand (rows, columns) as its coordinates have them: of B (N,K).
struct ViewModes {
  std::vector<BoxMode> box;  ///< one mode at least; its extent is 0 where nothing bounds it
  std::vector<Index> origin;
  OutsideBox outside = OutsideBox::promised_inside;
  std::vector<ViewMode> rows, columns, batch;  ///< the first is the fastest
  bool operator==(const ViewModes&) const = default;

  /// The element of a coordinate; none where zero stands for it.
  [[nodiscard]] std::optional<Index> element(Index row, Index column, Index matrix) const;
};
///   throws  not_congruent: not two or three modes; out_of_range: a step along a dimension that the
///           box has not; overflow
[[nodiscard]] ViewModes modes_of(const View& view);

/// Elements from the operand's address to the last one that any coordinate names.
///   throws  as modes_of
[[nodiscard]] Index span_elems(const View& view);

/// The same function in as few words as it takes: neighbouring modes joined, modes of one left out,
/// and no box where every coordinate lies inside it. Views that mean the same give the same. One
/// whose numbers a run says stays as it is.
///   throws  as modes_of
[[nodiscard]] View canonical(const View& view);

}  // namespace jute
