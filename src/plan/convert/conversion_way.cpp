// Which words become which type, what that takes, and where its bits are those of steps in f32.
#include <jute/plan/convert/conversion_way.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace jute {
namespace {

/// A word's elements two by two in a type, above `base`. Its piece of convert/pairs.cu takes so
/// many instructions of an element.
struct PairsRow {
  DType type, part;
  int arch, base;
  double instructions;
};
constexpr std::array kPairRows{
    PairsRow{DType::s4, DType::bf16, 80, 136, 1.125},
    PairsRow{DType::u4, DType::bf16, 80, 128, 1.125},
    PairsRow{DType::s4, DType::f16, 80, 1032, 1.125},
    PairsRow{DType::u4, DType::f16, 80, 1024, 1.125},
    PairsRow{DType::s8, DType::f16, 80, 1152, 0.75},
    PairsRow{DType::u8, DType::f16, 80, 1024, 0.5},
    PairsRow{DType::e5m2, DType::f16, 80, 0, 0.5},
    PairsRow{DType::e4m3, DType::f16, 89, 0, 0.5},
    PairsRow{DType::e2m1, DType::f16, 80, 0, 2},
    PairsRow{DType::e2m1, DType::bf16, 80, 0, 2.25},
};

/// A word's elements in f32, likewise.
struct FloatsRow {
  DType type;
  int arch, base;
  double instructions;
};
constexpr int kUnitPlace = 1 << 23;  // from here on the last bit of an f32 is 1
constexpr std::array kFloatRows{
    FloatsRow{DType::s4, 80, kUnitPlace + 8, 1.375},
    FloatsRow{DType::u4, 80, kUnitPlace, 1.375},
    FloatsRow{DType::s8, 80, kUnitPlace + 128, 1.25},
    FloatsRow{DType::u8, 80, kUnitPlace, 1},
    FloatsRow{DType::e5m2, 80, 0, 1.5},
    FloatsRow{DType::e4m3, 89, 0, 1.5},
    FloatsRow{DType::e2m1, 80, 0, 3},
};

/// One by one, by arithmetic.
constexpr double kOneByOne = 10;

/// The most that a whole number of the type differs from zero.
double whole_size(DType type) {
  const bool is_signed = type != DType::u4 && type != DType::u8;
  return std::ldexp(1.0, width_bits(type) - (is_signed ? 1 : 0));
}

/// Is what lies above zero, with the elements' base, a whole number of at most `most`? Then all of
/// it is subtracted at once, exactly.
bool is_subtracted_at_once(const MoveConversion& conversion, double above, double most) {
  if (conversion.zero)
    return is_integer(conversion.zero->type) && above + whole_size(conversion.zero->type) <= most;
  return std::trunc(conversion.offset) == conversion.offset &&
         above + std::abs(conversion.offset) <= most;
}

bool has_zero(const MoveConversion& conversion) {
  return conversion.zero || conversion.offset != 0;
}

/// The difference is exact, and of the product nothing is lost before it is rounded.
bool is_same_in_pairs(const PairsRow& row, const MoveConversion& conversion) {
  const double most = std::ldexp(1.0, precision_bits(row.part));
  if (row.base == 0 ? has_zero(conversion) : !is_subtracted_at_once(conversion, row.base, most))
    return false;
  if (!conversion.scale) return true;
  const DType scale = conversion.scale->type;
  return scale == row.part || scale == DType::e4m3 ||
         (scale == DType::ue8m0 && row.part == DType::bf16);
}

}  // namespace

ConversionWay conversion_way(const StoredOperand& stored, DType multiplied, Arch arch) {
  const MoveConversion& conversion = stored.conversion;
  const auto* const pairs = std::ranges::find_if(kPairRows, [&](const PairsRow& row) {
    return row.type == stored.type && row.part == multiplied && row.arch <= arch.number;
  });
  if (pairs == kPairRows.end() || !is_same_in_pairs(*pairs, conversion))
    return conversion_way_by_f32(stored, multiplied, arch);
  return {ConvertedBy::pairs, pairs->base, pairs->base != 0,
          pairs->instructions + (pairs->base != 0 ? 0.5 : 0) + (conversion.scale ? 0.5 : 0)};
}

ConversionWay conversion_way_by_f32(const StoredOperand& stored, DType multiplied, Arch arch) {
  const MoveConversion& conversion = stored.conversion;
  const auto* const floats = std::ranges::find_if(kFloatRows, [&](const FloatsRow& row) {
    return row.type == stored.type && row.arch <= arch.number;
  });
  if (floats == kFloatRows.end() || width_bits(multiplied) != 16)
    return {.instructions = kOneByOne};
  const bool at_once = is_subtracted_at_once(conversion, floats->base, 2 * kUnitPlace);
  const double subtractions = (floats->base != 0 ? 1 : 0) +
                              (has_zero(conversion) && (floats->base == 0 || !at_once) ? 1 : 0);
  return {ConvertedBy::floats, floats->base, floats->base != 0 && at_once,
          floats->instructions + subtractions + (conversion.scale ? 1 : 0) + 0.5};
}

}  // namespace jute
