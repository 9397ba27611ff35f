// The table of weight formats: what each array's tile is, which tiles are neighbours, and who says
// so. A new format is a row here.
#include <jute/base/nearest_name.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/packing/weight_formats.hpp>

#include <array>
#include <string>
#include <vector>

namespace jute {
namespace {

using layout::refuse;

/// A Packing before its layout is read.
struct PackingRow {
  const char* tile;
  TileOrder order;
  DType type;
  int unit_bits;
  int taken = 0;
};
struct FormatRow {
  WeightFormat format;
  PackingRow weights, scales, scales_of_one_block, zeros;
};

constexpr TileOrder kAlongN = TileOrder::along_n, kAlongK = TileOrder::along_k;

// Eight elements side by side in a word, the first in its lowest bits.
constexpr const char* kEightOfK = "(1,8):(0,1)";
constexpr const char* kEightOfN = "(8,1):(1,0)";
// Eight of n in a word, the even ones first: 0 2 4 6 1 3 5 7.
constexpr const char* kEvenFirst = "((2,4),1):((4,1),0)";
// A lane's two fragments of mma.m16n8k16 in a word, its even elements first; four columns of tiles
// of 16 by 16 give a lane 16 bytes.
constexpr const char* kLanes = "((8,2,4),(2,4,2)):((128,2,8),(4,32,1))";
// Scales that a lane needs, of 64 columns side by side: 0 8 16 … 56 1 9 …
constexpr const char* kScalesOfLanes = "((8,8),1):((8,1),0)";
// With one scale a column, at the end, a lane needs those of its results: 0 1 8 9 16 17 24 25 2 …
constexpr const char* kScalesOfResults = "((2,4,4),1):((1,8,2),0)";
constexpr const char* kZerosOfLanes = "((8,2,4),1):((8,4,1),0)";
constexpr const char* kOne = "(1,1):(0,0)";
constexpr const char* kTwoOfK = "(1,2):(0,1)";
constexpr const char* kTwoOfN = "(2,1):(1,0)";

constexpr PackingRow kScalesByBlock{kOne, kAlongN, DType::f16, 16};
constexpr PackingRow kScalesByRow{kOne, kAlongK, DType::f16, 16};
constexpr PackingRow kZerosByBlock{kOne, kAlongN, DType::u8, 8};
constexpr PackingRow kZerosByRow{kOne, kAlongK, DType::u8, 8};

// clang-format off
constexpr std::array<FormatRow, 8> kFormats{{
    {{"gptq", "words of eight along K (K/8,N); zero points less one (groups,N/8)",
      "AutoGPTQ, auto_gptq/nn_modules/qlinear/qlinear_cuda.py: QuantLinear.pack"},
     {kEightOfK, kAlongN, DType::u4, 32},
     kScalesByBlock, kScalesByBlock,
     {kEightOfN, kAlongN, DType::u4, 32, 1}},
    {{"gptq_v2", "as gptq, zero points as they are",
      "GPTQModel, checkpoint_format gptq_v2: gptqmodel/utils/model.py, convert_gptq_v1_to_v2_format"},
     {kEightOfK, kAlongN, DType::u4, 32},
     kScalesByBlock, kScalesByBlock,
     {kEightOfN, kAlongN, DType::u4, 32}},
    {{"awq", "words of eight along N, in the order 0 2 4 6 1 3 5 7 (K,N/8); zero points likewise",
      "AutoAWQ, awq/modules/linear/gemm.py: WQLinear_GEMM.from_linear"},
     {kEvenFirst, kAlongN, DType::u4, 32},
     kScalesByBlock, kScalesByBlock,
     {kEvenFirst, kAlongN, DType::u4, 32}},
    {{"marlin", "what lanes of mma.m16n8k16 load at once (K/16,2*N); scales and zero points permuted",
      "IST-DASLab/marlin, marlin/__init__.py: _get_perms, Layer.pack; zero points of vLLM's "
      "marlin_utils.py: marlin_zero_points"},
     {kLanes, kAlongN, DType::u4, 32},
     {kScalesOfLanes, kAlongN, DType::f16, 16}, {kScalesOfResults, kAlongN, DType::f16, 16},
     {kZerosOfLanes, kAlongN, DType::u4, 32}},
    {{"jute", "bytes of two along K (N,K/2), as B=u4:col and --transpose-b read them; zero points u8",
      "docs/how-to/quantised-weights.md"},
     {kTwoOfK, kAlongK, DType::u4, 8},
     kScalesByRow, kScalesByRow, kZerosByRow},
    {{"jute-kn", "bytes of two along K (K/2,N), as a file of (K,N) has them; zero points u8",
      "docs/how-to/quantised-weights.md"},
     {kTwoOfK, kAlongN, DType::u4, 8},
     kScalesByBlock, kScalesByBlock, kZerosByBlock},
    {{"jute-row", "bytes of two along N (K,N/2), as B=u4:row reads them; zero points u8",
      "docs/problem-text.md"},
     {kTwoOfN, kAlongN, DType::u4, 8},
     kScalesByBlock, kScalesByBlock, kZerosByBlock},
    {{"bytes", "a byte an element (N,K), for other programs; zero points u8",
      "docs/how-to/quantised-weights.md"},
     {kOne, kAlongK, DType::u8, 8},
     kScalesByRow, kScalesByRow, kZerosByRow},
}};
// clang-format on

constexpr std::array<WeightFormat, kFormats.size()> formats_alone() {
  std::array<WeightFormat, kFormats.size()> formats{};
  for (std::size_t i = 0; i < kFormats.size(); ++i) formats[i] = kFormats[i].format;
  return formats;
}
constexpr auto kFormatsAlone = formats_alone();

constexpr std::array<std::string_view, 3> kPartNames{"weights", "scales", "zeros"};

template <class Names>
[[noreturn]] void refuse_name(const char* what, std::string_view given, const Names& known) {
  const std::vector<std::string> names(known.begin(), known.end());
  refuse(ErrorCode::unknown_name, what, std::string(given), "it must be one of " + joined(names),
         nearest_name(given, names));
}

const FormatRow& row_of(std::string_view format) {
  std::vector<std::string> names;
  for (const FormatRow& row : kFormats) {
    if (row.format.name == format) return row;
    names.emplace_back(row.format.name);
  }
  refuse_name("format", format, names);
}

const PackingRow& part_of(const FormatRow& row, WeightPart part, Index groups) {
  if (part == WeightPart::weights) return row.weights;
  if (part == WeightPart::zeros) return row.zeros;
  return groups == 1 ? row.scales_of_one_block : row.scales;
}

}  // namespace

std::string_view name(WeightPart part) { return kPartNames[static_cast<std::size_t>(part)]; }

WeightPart parse_weight_part(std::string_view name) {
  for (std::size_t i = 0; i < kPartNames.size(); ++i)
    if (kPartNames[i] == name) return static_cast<WeightPart>(i);
  refuse_name("weight part", name, kPartNames);
}

std::span<const WeightFormat> weight_formats() { return kFormatsAlone; }

Packing packing_of(std::string_view format, WeightPart part, Index groups) {
  const FormatRow& row = row_of(format);
  if (groups < 1)
    refuse(ErrorCode::out_of_range, "groups", std::to_string(groups), "it must be 1 or more", "1");
  const PackingRow& packing = part_of(row, part, groups);
  return {Layout(packing.tile), packing.order, packing.type, packing.unit_bits, packing.taken};
}

Packing with_type(Packing packing, DType type) {
  if (packing.unit_bits == width_bits(packing.type)) packing.unit_bits = width_bits(type);
  packing.type = type;
  return packing;
}

Packing with_signs(Packing packing) {
  if (packing.type == DType::u4) packing.type = DType::s4;
  if (packing.type == DType::u8) packing.type = DType::s8;
  return packing;
}

}  // namespace jute
