// Joins the atom tables; a row whose fragments miss or repeat an element does not compile.
#include "atom/tables.hpp"

#include "atom/copies.hpp"
#include "atom/legacy_mma.hpp"
#include "atom/sm100_mma.hpp"
#include "atom/sm120_mma.hpp"
#include "atom/sm90_wgmma.hpp"
#include "atom/warp_mma.hpp"

#include <jute/layout/detail/notation.hpp>

#include <utility>

namespace jute::atom {
namespace {

/// fill_layout for constant evaluation; the letters stand for sizes only.
class FilledLayout {
 public:
  constexpr FilledLayout(std::string_view pattern, int m, int n, int k) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      int value = pattern[i] == 'M' ? m : pattern[i] == 'N' ? n : pattern[i] == 'K' ? k : 0;
      if (value == 0) {
        text_[size_++] = pattern[i];
        continue;
      }
      if (i + 1 < pattern.size() && (pattern[i + 1] == '*' || pattern[i + 1] == '/')) {
        const bool times = pattern[++i] == '*';
        int factor = 0;
        while (i + 1 < pattern.size() && pattern[i + 1] >= '0' && pattern[i + 1] <= '9')
          factor = 10 * factor + (pattern[++i] - '0');
        value = times ? value * factor : value / factor;
      }
      append(value);
    }
  }
  [[nodiscard]] constexpr const char* text() const { return text_.data(); }

 private:
  constexpr void append(int value) {
    if (value >= 10) append(value / 10);
    text_[size_++] = static_cast<char>('0' + value % 10);
  }
  std::array<char, 160> text_{};
  std::size_t size_ = 0;
};

/// A fragment covers its tile exactly once; what lanes share (stride 0) they share evenly.
consteval bool covers(std::string_view tv, const MmaFamily& family, int n, int tile_elems) {
  if (tv.empty()) return true;
  const FilledLayout filled(tv, family.m.first, n, family.k.first);
  const TvText layout(filled.text());
  return layout.covers(tile_elems);
}

consteval bool covers_its_tile(const MmaFamily& family, int n) {
  const int m = family.m.first, k = family.k.first;
  return covers(family.a_tv, family, n, m * k) && covers(family.b_tv, family, n, n * k) &&
         covers(family.c_tv, family, n, m * n) && covers(family.e_tv, family, n, m * k) &&
         covers(family.sfa_tv, family, n, m * k) && covers(family.sfb_tv, family, n, n * k);
}

/// Each row is a constant of its own: a compiler bounds the steps of one evaluation.
template <const auto& kTable, std::size_t kRow>
constexpr bool kRowCovers = covers_its_tile(kTable[kRow], kTable[kRow].n.first) &&
                            covers_its_tile(kTable[kRow], kTable[kRow].n.last);

template <const auto& kTable>
consteval bool all_cover_their_tiles() {
  return []<std::size_t... kRows>(std::index_sequence<kRows...>) {
    return (kRowCovers<kTable, kRows> && ...);
  }
  (std::make_index_sequence<kTable.size()>());
}

static_assert(all_cover_their_tiles<kLegacyMma>());
static_assert(all_cover_their_tiles<kWarpMma>());
static_assert(all_cover_their_tiles<kWgmma>());
static_assert(all_cover_their_tiles<kTcgen05>());
static_assert(all_cover_their_tiles<kSm120Mma>());

constexpr std::array<std::span<const MmaFamily>, 5> kMmaTables = {kLegacyMma, kWarpMma, kWgmma,
                                                                  kTcgen05, kSm120Mma};

}  // namespace

std::span<const std::span<const MmaFamily>> mma_tables() { return kMmaTables; }
std::span<const CopyFamily> copy_table() { return kCopies; }

}  // namespace jute::atom
