// CuTe's words, as tables.
#include "expr/cute_names.hpp"

#include <algorithm>
#include <iterator>

namespace jute::expr {
namespace {

struct Row {
  std::string_view name, ours;
};

constexpr Row kCuteFunctions[] = {
    {"group_modes", "group"},
    {"make_composed_layout", "composition"},
    {"make_identity_tensor", "make_identity_layout"},
    {"make_fragment", "make_fragment_like"},
    {"make_rmem_tensor_like", "make_fragment_like"},
    {"Layout", "make_layout"},
    {"make_ordered_layout_like", "make_layout_like"},
    {"flat_product_like", "flat_product"},
    {"layout", "get"},
    {"make_tiled_mma", "tiled_mma"},
};

constexpr std::string_view kTuples[] = {"make_shape", "make_stride",
                                        "make_coord", "make_step",
                                        "make_tile",  "make_tuple",
                                        "Shape",      "Stride",
                                        "Coord",      "Tile",
                                        "Step",       "tuple",
                                        "IntTuple",   "make_arithmetic_tuple"};

constexpr Row kEnumerators[] = {
    {"LayoutLeft", "left"},   {"LayoutRight", "right"},  {"GenColMajor", "left"},
    {"GenRowMajor", "right"}, {"GMMA::Major::K", "K"},   {"GMMA::Major::MN", "MN"},
    {"UMMA::Major::K", "K"},  {"UMMA::Major::MN", "MN"}, {"Major::K", "K"},
    {"Major::MN", "MN"},
};

// Source: CUTLASS, include/cute/atom/mma_traits_sm70.hpp, mma_traits_sm80.hpp and
// mma_traits_sm90_gmma.hpp.
constexpr Row kLayouts[] = {
    {"SM70_QuadPair", "(4,2):(1,16)"},
    {"SM70_8x4_Row", "(8,4):(1,8)"},
    {"SM70_8x4_Col", "((4,2),4):((8,4),1)"},
    {"SM70_8x8_16b", "(8,8):(1,8)"},
    {"SM70_8x8_32b", "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"},
    {"SM80_8x4", "((4,8),1):((8,1),0)"},
    {"SM80_8x8_Row", "((4,8),2):((16,1),8)"},
    {"SM80_8x16_Row", "((4,8),4):((32,1),8)"},
    {"SM80_16x8_Row", "((4,8),(2,2)):((32,1),(16,8))"},
    {"CLayout_64x8", "((4,8,4),(2,2,1)):((128,1,16),(64,8,512))"},
    {"CLayout_64x16", "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))"},
    {"CLayout_64x32", "((4,8,4),(2,2,4)):((128,1,16),(64,8,512))"},
    {"CLayout_64x64", "((4,8,4),(2,2,8)):((128,1,16),(64,8,512))"},
    {"CLayout_64x96", "((4,8,4),(2,2,12)):((128,1,16),(64,8,512))"},
    {"CLayout_64x128", "((4,8,4),(2,2,16)):((128,1,16),(64,8,512))"},
    {"CLayout_64x192", "((4,8,4),(2,2,24)):((128,1,16),(64,8,512))"},
    {"CLayout_64x256", "((4,8,4),(2,2,32)):((128,1,16),(64,8,512))"},
    {"ALayout_64x8", "((4,8,4),(2,2)):((64,1,16),(8,256))"},
    {"ALayout_64x16", "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))"},
    {"ALayout_64x32", "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))"},
    {"ALayout_64x64", "((4,8,4),(8,2,2)):((512,1,16),(64,8,2048))"},
};

/// Calls as others write them, and as they are written here; "{}" are the arguments.
constexpr Row kCalls[] = {
    {"Swizzle", "Sw<{}>"},
    {"Sw", "Sw<{}>"},
    {"compose", "composition({})"},
    {"inner_product", "crd2idx({})"},
    {"prefix_product", "compact_major({},left)"},
    {"inverse", "right_inverse({})"},
    {"print", "{}"},
    {"print_layout", "{}"},
    {"print_tensor", "{}"},
    {"pretty_print", "{}"},
    {"show", "{}"},
    {"len", "size({})"},
    {"numel", "size({})"},
    {"Int", "{}"},
    {"C", "{}"},
    {"repr", "{}"},
    {"str", "{}"},
};

template <class Rows>
std::optional<std::string_view> found(const Rows& rows, std::string_view name) {
  const auto row = std::ranges::find(rows, name, &Row::name);
  return row == std::end(rows) ? std::nullopt : std::optional(row->ours);
}

}  // namespace

std::string_view unqualified(std::string_view name) {
  for (const std::string_view space : {"cutlass::", "cute::", "cute."})
    if (name.starts_with(space)) name.remove_prefix(space.size());
  return name;
}

std::string_view function_name(std::string_view name) {
  return found(kCuteFunctions, name).value_or(name);
}

bool makes_tuple(std::string_view name) {
  return std::ranges::find(kTuples, name) != std::end(kTuples);
}

bool is_of_mode(std::string_view name) {
  constexpr std::string_view kOfMode[] = {"size", "shape", "stride", "rank", "depth", "cosize"};
  return std::ranges::find(kOfMode, name) != std::end(kOfMode);
}

bool is_of_atom(std::string_view name) {
  constexpr std::string_view kOfAtom[] = {"MMA_Atom", "MMA_Traits", "Copy_Atom", "Copy_Traits"};
  return std::ranges::find(kOfAtom, name) != std::end(kOfAtom);
}

std::string_view enumerator(std::string_view name) {
  return found(kEnumerators, unqualified(name)).value_or(name);
}

std::optional<std::string> meant_call(std::string_view name, std::string_view arguments) {
  const auto is_same = [](char left, char right) {
    const auto lower = [](char c) { return 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : int{c}; };
    return lower(left) == lower(right);
  };
  const auto call = std::ranges::find_if(
      kCalls, [&](const Row& row) { return std::ranges::equal(row.name, name, is_same); });
  if (call == std::end(kCalls)) return std::nullopt;
  constexpr std::string_view kArguments = "{}";
  std::string text(call->ours);
  return text.replace(text.find(kArguments), kArguments.size(), arguments);
}

std::optional<std::string_view> named_layout(std::string_view name) {
  for (const std::string_view space : {"SM90::GMMA::", "SM90::", "GMMA::"})
    if (name.starts_with(space) && found(kLayouts, name.substr(space.size())))
      return found(kLayouts, name.substr(space.size()));
  return found(kLayouts, name);
}

}  // namespace jute::expr
