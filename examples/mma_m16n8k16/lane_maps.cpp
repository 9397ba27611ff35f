// The lane arithmetic of mma.cu once more, and the same maps read from jute's atom layouts.
#include "lane_maps.hpp"

#include <cstdio>
#include <map>

namespace {

using Grid = std::vector<std::vector<Element>>;
using jute::Index;

constexpr int kLanes = 32;
constexpr int kHalfBits = 16;

template <class Place>
Grid grid(int values, Place place) {
  Grid result(kLanes);
  for (int lane = 0; lane < kLanes; ++lane)
    for (int v = 0; v < values; ++v) result[lane].push_back(place(lane, v));
  return result;
}

/// The layout's offsets count down the columns of a matrix with `rows` rows.
Grid from_layout(const jute::Layout& layout, int rows) {
  return grid(static_cast<int>(size(layout[1])), [&](int lane, int v) {
    const auto offset = static_cast<int>(layout(lane, v));
    return Element{offset % rows, offset / rows};
  });
}

/// The side in registers of ldmatrix or stmatrix, told in elements of shared memory: a lane's 128
/// bits of `memory` are the 8 halves that begin at start_of(lane).
template <class Start>
Grid from_copy(const jute::Layout& registers, const jute::Layout& memory, Start start_of) {
  std::map<Index, Element> element_of_bit;
  for (int lane = 0; lane < kLanes; ++lane)
    for (int i = 0; i < 8; ++i) {
      const Element start = start_of(lane);
      element_of_bit.emplace(memory(lane, i * kHalfBits), Element{start.row, start.col + i});
    }
  const auto values = static_cast<int>(size(registers[1])) / kHalfBits;
  return grid(values,
              [&](int lane, int v) { return element_of_bit.at(registers(lane, v * kHalfBits)); });
}

Grid transposed(Grid map) {
  for (auto& lane : map)
    for (Element& element : lane) std::swap(element.row, element.col);
  return map;
}

LaneMap map_of_a(const jute::MmaAtom& mma, const jute::CopyAtom& copy) {
  return {
      .title = "A (16,16)",
      .layout = to_string(mma.a_layout),
      .arithmetic = "row = lane / 4 + v / 2 % 2 * 8, col = lane % 4 * 2 + v % 2 + v / 4 * 8",
      .by_hand = grid(8,
                      [](int lane, int v) {
                        return Element{lane / 4 + v / 2 % 2 * 8, lane % 4 * 2 + v % 2 + v / 4 * 8};
                      }),
      .by_layout = from_layout(mma.a_layout, mma.shape.m),
      .copy_name = copy.name,
      .by_copy = from_copy(copy.dst_layout, copy.src_layout, [](int lane) {
        return Element{lane % 16, lane / 16 * 8};
      })};
}

// The atom's B is (N,K); the program's, as it lies in shared memory, is (K,N).
LaneMap map_of_b(const jute::MmaAtom& mma, const jute::CopyAtom& copy) {
  return {.title = "B (16,8)",
          .layout = to_string(mma.b_layout),
          .arithmetic = "row = lane % 4 * 2 + v % 2 + v / 2 * 8, col = lane / 4",
          .by_hand = grid(4,
                          [](int lane, int v) {
                            return Element{lane % 4 * 2 + v % 2 + v / 2 * 8, lane / 4};
                          }),
          .by_layout = transposed(from_layout(mma.b_layout, mma.shape.n)),
          .copy_name = copy.name,
          .by_copy = from_copy(copy.dst_layout, copy.src_layout, [](int lane) {
            return Element{lane % 16, 0};
          })};
}

LaneMap map_of_c(const jute::MmaAtom& mma, const jute::CopyAtom& copy) {
  return {.title = "C and D (16,8)",
          .layout = to_string(mma.c_layout),
          .arithmetic = "row = lane / 4 + v / 2 * 8, col = lane % 4 * 2 + v % 2",
          .by_hand = grid(4,
                          [](int lane, int v) {
                            return Element{lane / 4 + v / 2 * 8, lane % 4 * 2 + v % 2};
                          }),
          .by_layout = from_layout(mma.c_layout, mma.shape.m),
          .copy_name = copy.name,
          .by_copy = from_copy(copy.src_layout, copy.dst_layout, [](int lane) {
            return Element{lane % 16, 0};
          })};
}

void print_lane(const std::vector<Element>& lane) {
  for (const Element& element : lane) std::printf(" (%2d,%2d)", element.row, element.col);
}

}  // namespace

std::vector<LaneMap> lane_maps(const jute::Catalogue& catalogue) {
  const jute::MmaAtom mma = catalogue.mma("SM80_16x8x16_F32F16F16F32_TN");
  return {map_of_a(mma, catalogue.copy("SM75_U32x4_LDSM_N")),
          map_of_b(mma, catalogue.copy("SM75_U16x4_LDSM_T")),
          map_of_c(mma, catalogue.copy("SM90_U32x2_STSM_N"))};
}

void print(const LaneMap& map) {
  std::printf("\n%s\n  layout  %s\n  by hand %s\n  copy    %s\n", map.title.c_str(),
              map.layout.c_str(), map.arithmetic.c_str(), map.copy_name.c_str());
  for (int lane = 0; lane < kLanes; ++lane) {
    std::printf("  lane %2d", lane);
    print_lane(map.by_layout[lane]);
    std::printf("\n");
  }
}

int count_differences(const LaneMap& map) {
  int differences = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (map.by_hand[lane] == map.by_layout[lane] && map.by_copy[lane] == map.by_layout[lane])
      continue;
    ++differences;
    std::printf("%s, lane %d: layout", map.title.c_str(), lane);
    print_lane(map.by_layout[lane]);
    std::printf(", by hand");
    print_lane(map.by_hand[lane]);
    std::printf(", %s", map.copy_name.c_str());
    print_lane(map.by_copy[lane]);
    std::printf("\n");
  }
  return differences;
}
