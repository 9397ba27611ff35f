#pragma once
// The choices of a plan that a caller may make; whatever is left empty the planner chooses.
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>
#include <jute/layout/tiler.hpp>
#include <jute/plan/ask/schedule.hpp>

#include <array>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// Which of the problem's numbers become literals of the kernel.
enum class Specialize : std::uint8_t {
  usual,    ///< N, K and ldb; M, batch, the other strides stay run-time
  none,     ///< one kernel for every shape of an alignment class
  all,      ///< every extent and stride
  generic,  ///< none, and tiles of a short list: many problems have the same few kernels
};

/// Block tile in elements.
struct TileShape {
  int m = 0, n = 0, k = 0;
  bool operator==(const TileShape&) const = default;
};

/// Operands of the problem that the L2 cache gives up first.
enum class ReadOnce : std::uint8_t { none, a, b, both };

struct Config {
  Specialize specialize = Specialize::usual;
  std::optional<std::string> mma_atom{};  ///< CuTe name, from the catalogue
  std::optional<Layout> atom_layout{};    ///< atoms along (M,N,K): "(2,4,1):(1,2,0)"
  std::optional<Tiler> permutation{};     ///< TiledMma's permutation: "(32,32,_)"
  std::optional<TileShape> tile{};
  std::optional<int> stages{};
  std::optional<int> raster_width{};        ///< tiles along M that run together
  std::optional<ComposedLayout> smem_a{};   ///< (tile.m,tile.k) -> element, one stage
  std::optional<ComposedLayout> smem_b{};   ///< (tile.n,tile.k) -> element, one stage
  std::optional<bool> pad{};                ///< copy operands with unaligned rows first
  std::optional<bool> transpose{};          ///< copy operands that lie along M or N along K first
  std::optional<MainLoop> main_loop{};      ///< the frame: who loads and who multiplies
  std::optional<Transfer> carry_a{};        ///< what brings A to stages that wgmma reads
  std::optional<Transfer> carry_b{};        ///< carrier of B
  std::optional<ClusterShape> cluster{};    ///< blocks that share what they load: "2x1"
  std::optional<int> blocks{};              ///< of a grid that walks over the tiles, at most
  std::optional<int> ping_pong{};           ///< of consumers that take turns with tiles: 1 or 2
  std::optional<int> producer_warps{};      ///< 4, which give registers away, or 1
  std::optional<int> split_k{};             ///< of K, each a block's
  std::optional<int> whole_tiles{};         ///< the first of the grid, which slices leave whole
  std::optional<SplitK> reduction{};        ///< who adds the sums of slices
  std::optional<int> k_starts{};            ///< places of K at which blocks begin in turn
  std::optional<int> matrices_per_block{};  ///< of a batch, side by side in a block; 0: one, of a
                                            ///< grid whose third axis is the batch
  std::optional<int> promote{};             ///< of k, after which sums are added in full; 0: never
  std::optional<ReadOnce> read_once{};      ///< what leaves the L2 cache first
  std::optional<EdgeRows> edge_rows{};      ///< what stages hold of rows past the edge
  std::optional<bool> widths{};  ///< kernels of m_range may take their tiles' columns from launches
  std::optional<bool> swapped{};  ///< compute Dᵀ = Bᵀ·Aᵀ, so that tiles lie the other way
  std::optional<FirstStages> first_stages{};
  std::optional<Release> release{};    ///< when the next step may begin
  std::optional<Launches> launches{};  ///< what runs beside them; behind_others, unless they say so
  bool operator==(const Config&) const = default;
};

/// The choices in one line, by the names of the members; empty when all is the planner's.
///   example  `tile=128x128x32 stages=4 smem_a=Sw<2,3,3>o0o(128,32):(32,1) pad=off`
[[nodiscard]] std::string to_string(const Config& config);
std::ostream& operator<<(std::ostream& out, const Config& config);
/// Reads it: parse_config(to_string(config)) == config. Choices come in any order, blanks between
/// them; of an atom layout the shape is enough. Spellings of before are read too: `old_words`, and
/// torch's fast_accum=on, which is promote=0.
///   throws  unknown_name: no such choice; syntax and what the value's type refuses; with the
///           position in `text`
[[nodiscard]] Config parse_config(std::string_view text);
/// Makes one choice.
///   example  choose(config, "tile", "128x128x32")
///   throws   as parse_config; the operand is the choice, the position one in `value`
void choose(Config& config, std::string_view choice, std::string_view value);

}  // namespace jute
