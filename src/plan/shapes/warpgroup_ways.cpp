// Reads ways off types, strides and extents.
#include "plan/shapes/warpgroup_ways.hpp"

#include <algorithm>
#include <limits>

#include "plan/chip/line.hpp"

namespace jute::plan {
namespace {

/// Is storing D most of the work of a tile?
bool is_mostly_stores(const KernelProblem& problem) {
  constexpr Index kMostOfK = 256;  // bytes of a row
  return problem.k.value * width_bytes(problem.a.type) <= kMostOfK;
}

}  // namespace

bool has_whole_lines(const KernelMatrix& matrix) {
  return matrix.ld.value * width_bytes(matrix.type) % kLine == 0;
}

bool is_direct(const Tile& tile, const KernelProblem& problem) {
  constexpr int kPiece = 16;  // bytes that TMA stores
  const DType type = problem.d.type;
  if (tile.reduction == SplitK::all_add) return true;
  if (problem.c.view || problem.d.view || problem.d.rows)
    return true;  // each run, or row, by itself
  if (width_bytes(type) == 2) return false;
  const bool has_pairs = (type == DType::e4m3 || type == DType::e5m2) && !tile.swapped &&
                         tile.n % kPiece == 0 && problem.d.access_bytes >= kPiece;
  const bool has_words = drains_words(problem) && !tile.swapped && !is_said_late(tile) &&
                         !tile.is_generic && tile.reduction == SplitK::last_adds &&
                         tile.split_k == 1;
  return !has_pairs && !has_words;
}

bool drains_words(const KernelProblem& problem) {
  constexpr int kPiece = 16;  // bytes that TMA stores
  constexpr double kLeast = 64 << 20;
  const KernelMatrix& d = problem.d;
  const Index width = width_bytes(d.type);
  return width == 4 && d.access_bytes >= kPiece && order_of(d) == Order::row &&
         is_mostly_stores(problem) &&
         static_cast<double>(problem.m.value) * static_cast<double>(problem.n.value * width) *
                 static_cast<double>(problem.batch.value) >=
             kLeast;
}

bool begins_anywhere(const KernelMatrix& d) { return d.access_bytes < 16; }

bool has_cut_sectors(const KernelProblem& problem) {
  constexpr Index kLeastOfRow = 2048;  // bytes: parts of shorter rows leave together
  constexpr double kLeast = 4 << 20;
  if (!is_mostly_stores(problem) || begins_anywhere(problem.d)) return false;
  const Index width = width_bytes(problem.d.type);
  if (width != 2 || problem.d.ld.value * width % kSector == 0) return false;
  const bool is_row = order_of(problem.d) == Order::row;
  const Index row = (is_row ? problem.n : problem.m).value;
  const Index rows = (is_row ? problem.m : problem.n).value;
  const double bytes = static_cast<double>(rows) * static_cast<double>(row * width) *
                       static_cast<double>(problem.batch.value);
  return row * width >= kLeastOfRow && bytes >= kLeast;
}

bool is_by_any_rows(const Tile& tile, const KernelProblem& problem) {
  return begins_anywhere(problem.d) && !is_direct(tile, problem);
}

bool is_by_rows(const Tile& tile, const KernelProblem& problem) {
  const bool is_known = !is_said_late(tile) && !tile.is_generic;
  const bool has_cut_rows = is_known && !tile.swapped && has_cut_sectors(problem);
  return is_by_any_rows(tile, problem) || (has_cut_rows && !is_direct(tile, problem));
}

double products_of_tile(const KernelProblem& problem) {
  return std::max<double>(1, static_cast<double>(problem.products.size()));
}

size_t clusters_worth_a_look(const KernelProblem& problem) {
  constexpr size_t kAlone = 1, kPairs = 2, kAll = std::numeric_limits<size_t>::max();
  if (is_by_any_rows({}, problem)) return kAlone;  // their blocks drift apart
  if (!has_whole_lines(problem.a) || !has_whole_lines(problem.b)) return kAll;
  return is_direct({}, problem) ? kPairs : kAlone;  // what threads store is in the way of loads
}

}  // namespace jute::plan
