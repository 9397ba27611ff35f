// The rules of tiled tensor maps, each as a range and a step for one field.
#include <jute/base/checked.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/launch/tensor_map_spec.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace jute {
namespace {

constexpr size_t kMaxRank = 5;
constexpr Index kMaxExtent = Index{1} << 32;
constexpr Index kStrideLimit = Index{1} << 40;
constexpr Index kMaxBox = 256;
constexpr Index kMaxElementStride = 8;
// The most that an H200's driver accepts: shared memory of one SM (measured; no API states it).
constexpr Index kMaxBoxBytes = 228 * 1024;
constexpr Index kGranule = 16;  // bytes that addresses, strides and inner boxes are multiples of

/// Legal values of one field: multiples of `step` in [low, high].
struct Range {
  Index low;
  Index high;
  Index step;
  [[nodiscard]] bool has(Index value) const {
    return value >= low && value <= high && value % step == 0;
  }
  [[nodiscard]] Index nearest(Index value) const {
    const Index inside = std::clamp(value, low, high);
    const Index below = inside / step * step;
    const bool up = inside - below > step - (inside - below) && below + step <= high;
    return std::max(low, up ? below + step : below);
  }
};

/// The longest row of a box; without a swizzle, any that the limits of a box allow.
Index longest_row_bytes(TmaSwizzle swizzle) {
  return swizzle == TmaSwizzle::none ? kMaxBox * 8 : swizzle_span_bytes(swizzle);
}

constexpr Range kExtents{1, kMaxExtent, 1};
// Zero repeats the same data along a dimension.
constexpr Range kStrides{0, kStrideLimit - kGranule, kGranule};
constexpr Range kElementStrides{1, kMaxElementStride, 1};

/// The box extent of a dimension: the innermost one moves whole granules and fits the swizzle span.
Range box_range(const TensorMapSpec& spec, size_t dimension) {
  if (dimension != 0) return {1, kMaxBox, 1};
  const Index granule = std::max<Index>(1, kGranule / width_bytes(spec));
  const Index span = longest_row_bytes(spec.swizzle) / width_bytes(spec);
  return {granule, std::min(kMaxBox, span), granule};
}

/// Is it floating-point as the driver has it? fp8 travels as bytes.
bool has_nan_fill(const TensorMapSpec& spec) {
  return !spec.integer && !is_integer(spec.type) && width_bits(spec.type) > 8;
}
std::string element_name(const TensorMapSpec& spec) {
  constexpr std::array<std::string_view, 4> kIntegers{"u16", "u32", "s64", "u64"};
  return std::string(spec.integer ? kIntegers[static_cast<size_t>(*spec.integer)]
                                  : name(spec.type));
}

struct Violation {
  std::string operand;
  std::string value;
  std::string rule;
  std::string nearest;
};

class Violations {
 public:
  void check(const Range& range, std::string_view field, size_t index, Index value,
             std::string_view rule) {
    if (range.has(value)) return;
    const std::string operand = std::string(field) + "[" + std::to_string(index) + "]";
    list_.push_back({operand, std::to_string(value), operand + " " + std::string(rule),
                     std::to_string(range.nearest(value))});
  }
  void check_count(std::string_view field, size_t count, size_t wanted) {
    if (count == wanted) return;
    const std::string operand = std::string(field) + ".size";
    list_.push_back({operand, std::to_string(count), operand + " must be " + std::to_string(wanted),
                     std::to_string(wanted)});
  }
  void add(Violation violation) { list_.push_back(std::move(violation)); }
  [[nodiscard]] const std::vector<Violation>& list() const { return list_; }

 private:
  std::vector<Violation> list_;
};

std::string tuple_text(const std::vector<Index>& values) {
  std::vector<std::string> texts;
  for (const Index value : values) texts.push_back(std::to_string(value));
  return "(" + joined(texts, ",") + ")";
}

/// Elements of the box as the driver counts them: whole `element_strides` along each dimension.
Index moved_elements(const TensorMapSpec& spec) {
  Index elements = 1;
  for (size_t i = 0; i < spec.box.size(); ++i) {
    const Index step = i < spec.element_strides.size() ? spec.element_strides[i] : 1;
    elements *= std::clamp<Index>(spec.box[i], 1, kMaxBox) / std::max<Index>(step, 1);
  }
  return elements;
}

/// Shortens the outer dimensions until the box fits in shared memory.
std::vector<Index> fitting_box(TensorMapSpec spec) {
  for (size_t i = spec.box.size(); i-- > 1;)
    while (spec.box[i] > 1 && moved_elements(spec) * width_bytes(spec) > kMaxBoxBytes)
      spec.box[i] = (spec.box[i] + 1) / 2;
  return spec.box;
}

std::string inner_box_rule(const TensorMapSpec& spec) {
  const Range range = box_range(spec, 0);
  std::string rule = "times " + std::to_string(width_bytes(spec)) +
                     " bytes must be a multiple of 16 bytes, at most 256 elements";
  if (spec.swizzle != TmaSwizzle::none)
    rule += " and at most the swizzle span of " + std::to_string(swizzle_span_bytes(spec.swizzle)) +
            " bytes";
  return rule + " (" + std::to_string(range.low) + " to " + std::to_string(range.high) +
         " in steps of " + std::to_string(range.step) + ")";
}

void check_fields(const TensorMapSpec& spec, Violations& findings) {
  for (size_t i = 0; i < spec.dims.size(); ++i)
    findings.check(kExtents, "dims", i, spec.dims[i], "must be 1 to 2^32");
  for (size_t i = 0; i < spec.strides_bytes.size(); ++i)
    findings.check(kStrides, "strides_bytes", i, spec.strides_bytes[i],
                   "must be a multiple of 16 below 2^40");
  for (size_t i = 0; i < spec.box.size(); ++i) {
    const Range range = box_range(spec, i);
    if (range.has(spec.box[i])) continue;
    findings.check(range, "box", i, spec.box[i],
                   i == 0 ? inner_box_rule(spec) : "must be 1 to 256");
  }
  const Index box_bytes = moved_elements(spec) * width_bytes(spec);
  if (box_bytes > kMaxBoxBytes)
    findings.add({"box", tuple_text(spec.box),
                  "box must move at most " + std::to_string(kMaxBoxBytes) + " bytes, not " +
                      std::to_string(box_bytes),
                  tuple_text(fitting_box(spec))});
  for (size_t i = 0; i < spec.element_strides.size(); ++i)
    findings.check(kElementStrides, "element_strides", i, spec.element_strides[i],
                   "must be 1 to 8");
}

Error error_of(const TensorMapSpec& spec, const std::vector<Violation>& violations) {
  Error error{.code = ErrorCode::illegal_tensor_map};
  std::vector<std::string> repairs;
  for (const Violation& violation : violations) {
    error.violated_rules.push_back(violation.rule);
    if (!violation.nearest.empty())
      repairs.push_back(violation.operand + " = " + violation.nearest);
  }
  if (violations.size() == 1) {
    error.operand = violations[0].operand;
    error.value = violations[0].value;
    if (!repairs.empty()) error.nearest_legal = violations[0].nearest;
  } else {
    error.operand = "tensor_map";
    error.value = to_string(spec);
    if (!repairs.empty()) error.nearest_legal = joined(repairs);
  }
  return error;
}

}  // namespace

int width_bytes(const TensorMapSpec& spec) {
  if (!spec.integer) return width_bytes(spec.type);
  switch (*spec.integer) {
    case TmaInteger::u16:
      return 2;
    case TmaInteger::u32:
      return 4;
    default:
      return 8;
  }
}

std::string to_string(const TensorMapSpec& spec) {
  constexpr std::array<std::string_view, 4> kSwizzles{"none", "32B", "64B", "128B"};
  return element_name(spec) + " dims " + tuple_text(spec.dims) + " strides " +
         tuple_text(spec.strides_bytes) + " box " + tuple_text(spec.box) + " steps " +
         tuple_text(spec.element_strides) + " swizzle " +
         std::string(kSwizzles[static_cast<size_t>(spec.swizzle)]) + " oob " +
         (spec.out_of_bounds == TmaOutOfBounds::zero ? "zero" : "nan");
}

std::optional<Error> check(const TensorMapSpec& spec, std::uint64_t base) {
  Violations findings;
  const size_t rank = spec.dims.size();
  if (rank < 1 || rank > kMaxRank) {
    findings.add({"rank", std::to_string(rank), "rank must be 1 to 5", rank < 1 ? "1" : "5"});
  } else {
    findings.check_count("strides_bytes", spec.strides_bytes.size(), rank - 1);
    findings.check_count("box", spec.box.size(), rank);
    findings.check_count("element_strides", spec.element_strides.size(), rank);
  }
  check_fields(spec, findings);
  if (base % static_cast<std::uint64_t>(kGranule) != 0)
    findings.add({"base", std::to_string(base), "base must be a multiple of 16",
                  std::to_string(base / kGranule * kGranule)});
  if (spec.out_of_bounds == TmaOutOfBounds::nan && !has_nan_fill(spec))
    findings.add({"out_of_bounds", "nan",
                  "out_of_bounds nan needs a floating-point type of 16 bits or more, not " +
                      element_name(spec),
                  "zero"});
  if (findings.list().empty()) return std::nullopt;
  return error_of(spec, findings.list());
}

std::optional<TensorMapSpec> nearest_legal(TensorMapSpec spec) {
  const size_t rank = spec.dims.size();
  if (rank < 1 || rank > kMaxRank) return std::nullopt;
  spec.strides_bytes.resize(rank - 1, 0);
  spec.box.resize(rank, 1);
  spec.element_strides.resize(rank, 1);
  for (Index& extent : spec.dims) extent = kExtents.nearest(extent);
  for (Index& stride : spec.strides_bytes) stride = kStrides.nearest(stride);
  for (size_t i = 0; i < rank; ++i) spec.box[i] = box_range(spec, i).nearest(spec.box[i]);
  for (Index& stride : spec.element_strides) stride = kElementStrides.nearest(stride);
  spec.box = fitting_box(spec);
  if (!has_nan_fill(spec)) spec.out_of_bounds = TmaOutOfBounds::zero;
  return spec;
}

}  // namespace jute
