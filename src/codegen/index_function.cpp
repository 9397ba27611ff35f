// Splits addresses into thread and value parts, and writes them as device functions.
#include "codegen/index_function.hpp"

#include <bit>
#include <utility>

#include "base/format.hpp"

namespace jute::codegen {
namespace {

using plan::TileAccess;

Swizzle in_bytes(const Swizzle& swizzle, int element_bytes) {
  if (swizzle.bits() == 0) return {};
  return {swizzle.bits(), swizzle.base() + std::countr_zero(static_cast<unsigned>(element_bytes)),
          swizzle.shift()};
}

/// Bits that the swizzle reads, and bits that it changes.
struct SwizzleMasks {
  Index source = 0, target = 0;
};
SwizzleMasks masks(const Swizzle& swizzle) {
  const Index ones = (Index{1} << swizzle.bits()) - 1;
  const int low = swizzle.base(), high = swizzle.base() + std::abs(swizzle.shift());
  return swizzle.shift() >= 0 ? SwizzleMasks{ones << high, ones << low}
                              : SwizzleMasks{ones << low, ones << high};
}

std::vector<Index> row(const TileAccess& access, int value) {
  std::vector<Index> result;
  for (int thread = 0; thread < access.threads; ++thread) result.push_back(access(thread, value));
  return result;
}

std::vector<Index> column(const TileAccess& access) {
  std::vector<Index> result;
  for (int value = 0; value < access.values; ++value) result.push_back(access(0, value));
  return result;
}

std::vector<Index> minus(std::vector<Index> sequence, Index base) {
  for (Index& element : sequence) element -= base;
  return sequence;
}

Layout fitted(const std::string& function, const char* part, const std::vector<Index>& sequence) {
  if (std::optional<Layout> layout = layout_of(sequence)) return *std::move(layout);
  throw Exception({ErrorCode::unsupported,
                   function,
                   part,
                   {"the offsets of threads, and of the values of a thread, follow a layout"},
                   {},
                   {},
                   {}});
}

/// Does `swizzled(t, v) == (swizzled(t, 0) ^ flip[v]) + step[v]` hold everywhere?
bool folds(const TileAccess& swizzled, const std::vector<Index>& flip,
           const std::vector<Index>& step) {
  for (int value = 0; value < swizzled.values; ++value)
    for (int thread = 0; thread < swizzled.threads; ++thread)
      if (swizzled(thread, value) != (swizzled(thread, 0) ^ flip[static_cast<size_t>(value)]) +
                                         step[static_cast<size_t>(value)])
        return false;
  return true;
}

/// Statements on lines of their own.
std::string device_function(std::string_view signature, std::string_view body) {
  std::string lines;
  while (!body.empty()) {
    const size_t end = std::min(body.find("; "), body.size());
    const bool is_last = end == body.size();
    lines += base::format("  {}{}\n", body.substr(0, end), is_last ? "" : ";");
    body.remove_prefix(is_last ? end : end + 2);
  }
  return base::format("__device__ __forceinline__ int {} {{\n{}}}\n", signature, lines);
}

std::string swizzled_text(const Swizzle& swizzle, std::string_view variable) {
  const Index source = masks(swizzle).source;
  return base::format("{0} ^ (({0} & {1:#x}) {2} {3})", variable, source,
                      swizzle.shift() >= 0 ? ">>" : "<<", std::abs(swizzle.shift()));
}

std::string sum(std::string left, const std::string& right) {
  if (right == "0") return left;
  return left == "0" ? right : left + " + " + right;
}

}  // namespace

std::optional<Layout> layout_of(const std::vector<Index>& sequence) {
  const size_t count = sequence.size();
  if (count == 0 || sequence[0] != 0) return std::nullopt;
  std::vector<IntTuple> shape, stride;
  for (size_t block = 1; block < count;) {
    const Index step = sequence[block];
    size_t extent = 2;
    while (block * extent < count && sequence[block * extent] == step * static_cast<Index>(extent))
      ++extent;
    while ((count / block) % extent != 0) --extent;
    if (extent < 2) return std::nullopt;
    shape.emplace_back(static_cast<Index>(extent));
    stride.emplace_back(step);
    block *= extent;
  }
  if (shape.empty()) return Layout(1, 0);
  const Layout layout = shape.size() == 1 ? Layout(shape[0], stride[0])
                                          : Layout(IntTuple::tuple(shape), IntTuple::tuple(stride));
  if (plan::all_offsets(layout) != sequence) return std::nullopt;
  return layout;
}

std::string expression(const Layout& layout, std::string_view variable) {
  const std::vector<Index> shape = layout.flat_shape();
  const std::vector<Index> stride = layout.flat_stride();
  std::string text;
  Index divisor = 1;
  for (size_t mode = 0; mode < shape.size(); divisor *= shape[mode], ++mode) {
    if (stride[mode] == 0 || shape[mode] == 1) continue;
    std::string term(variable);
    if (divisor > 1) term += base::format(" / {}", divisor);
    if (mode + 1 < shape.size()) term += base::format(" % {}", shape[mode]);
    if (stride[mode] != 1)
      term = term.find(' ') == std::string::npos ? base::format("{} * {}", term, stride[mode])
                                                 : base::format("({}) * {}", term, stride[mode]);
    text += (text.empty() ? "" : " + ") + term;
  }
  return text.empty() ? "0" : text;
}

std::string_view name(AddressForm form) {
  switch (form) {
    case AddressForm::affine:
      return "affine";
    case AddressForm::folded:
      return "folded";
    case AddressForm::evaluated:
      break;
  }
  return "evaluated";
}

SmemFunction smem_function(std::string name, std::string comment, const TileAccess& tile,
                           const ComposedLayout& memory, int element_bytes) {
  SmemFunction function;
  function.name = std::move(name);
  function.comment = std::move(comment);
  function.swizzle = in_bytes(memory.swizzle(), element_bytes);
  function.offset = memory.offset() * element_bytes;
  TileAccess access = plan::follow(tile, ComposedLayout(memory.layout()));
  for (Index& offset : access.offsets) offset *= element_bytes;
  const Index first = access(0, 0);
  function.offset += first;
  function.thread = fitted(function.name, "threads", minus(row(access, 0), first));
  const std::vector<Index> steps = minus(column(access), first);
  for (int value = 0; value < access.values; ++value)
    for (int thread = 0; thread < access.threads; ++thread)
      if (access(thread, value) != access(thread, 0) + steps[static_cast<size_t>(value)])
        throw Exception(
            {ErrorCode::unsupported,
             function.name,
             to_string(memory),
             {"before the swizzle, the distance between two values is the same in every thread"},
             {},
             {},
             {}});
  if (function.swizzle.bits() == 0) {
    function.step = fitted(function.name, "values", steps);
    function.flip = Layout(access.values, 0);
    return function;
  }
  // A step that carries into no bit of a thread's own address passes through the swizzle on its
  // own: what it changes among the target bits is an XOR, the rest an addition.
  const Index target = masks(function.swizzle).target;
  std::vector<Index> flips, additions;
  for (const Index step : steps) {
    const Index image = function.swizzle(step);
    flips.push_back(image & target);
    additions.push_back(image & ~target);
  }
  TileAccess swizzled = access;
  for (Index& offset : swizzled.offsets)
    offset = function.swizzle(offset + memory.offset() * element_bytes);
  const std::optional<Layout> flip = layout_of(flips), step = layout_of(additions);
  if (flip && step && folds(swizzled, flips, additions)) {
    function.form = AddressForm::folded;
    function.flip = *flip;
    function.step = *step;
  } else {
    function.form = AddressForm::evaluated;
    function.step = fitted(function.name, "values", steps);
    function.flip = Layout(access.values, 0);
  }
  return function;
}

std::string emit(const SmemFunction& function) {
  std::string text = base::format(
      "// {}: {}; {}.\n", function.name, function.comment,
      function.form == AddressForm::affine
          ? std::string("bytes")
          : base::format("bytes, {}, {}", to_string(function.swizzle), name(function.form)));
  text += base::format("//   thread {}   value {}", to_string(function.thread),
                       to_string(function.step));
  if (function.form == AddressForm::folded) text += base::format(" ^ {}", to_string(function.flip));
  text += '\n';
  const std::string affine =
      sum(expression(function.thread, "thread"), std::to_string(function.offset));
  const std::string base_signature = function.name + "_base(int thread)";
  if (function.form == AddressForm::folded)
    text += device_function(base_signature, base::format("const int x = {}; return {};", affine,
                                                         swizzled_text(function.swizzle, "x")));
  else
    text += device_function(base_signature, base::format("return {};", affine));
  const std::string step = expression(function.step, "value");
  const std::string signature = function.name + "(int base, int value)";
  if (function.form == AddressForm::folded) {
    const std::string flip = expression(function.flip, "value");
    const std::string flipped = flip == "0" ? "base" : base::format("(base ^ ({}))", flip);
    return text + device_function(signature, base::format("return {};", sum(flipped, step)));
  }
  if (function.form == AddressForm::evaluated)
    return text + device_function(signature,
                                  base::format("const int x = {}; return {};", sum("base", step),
                                               swizzled_text(function.swizzle, "x")));
  return text + device_function(signature, base::format("return {};", sum("base", step)));
}

CoordinateFunction coordinate_function(std::string name, std::string comment, TileAccess access,
                                       Index rows, int mode) {
  CoordinateFunction function{std::move(name), std::move(comment), {}, {}};
  for (Index& index : access.offsets) index = mode == 0 ? index % rows : index / rows;
  function.thread = fitted(function.name, "threads", minus(row(access, 0), access(0, 0)));
  function.step = fitted(function.name, "values", minus(column(access), access(0, 0)));
  for (int value = 0; value < access.values; ++value)
    for (int thread = 0; thread < access.threads; ++thread)
      if (access(thread, value) != access(thread, 0) + access(0, value) - access(0, 0))
        throw Exception({ErrorCode::unsupported,
                         function.name,
                         "value " + std::to_string(value),
                         {"coordinates are a sum of a part per thread and a part per value"},
                         {},
                         {},
                         {}});
  return function;
}

std::string emit(const CoordinateFunction& function) {
  return base::format("// {}: {}.\n//   thread {}   value {}\n", function.name, function.comment,
                      to_string(function.thread), to_string(function.step)) +
         device_function(function.name + "_base(int thread)",
                         base::format("return {};", expression(function.thread, "thread"))) +
         device_function(function.name + "(int value)",
                         base::format("return {};", expression(function.step, "value")));
}

std::string emit_table(std::string_view name, std::string_view comment,
                       const std::vector<Index>& values) {
  std::string text = base::format("// {}: {}.\n", name, comment);
  const std::optional<Layout> layout =
      values.empty() ? std::nullopt : layout_of(minus(values, values.front()));
  if (layout) {
    text += base::format("//   {}\n", to_string(*layout));
    return text + device_function(base::format("{}(int value)", name),
                                  base::format("return {};", sum(expression(*layout, "value"),
                                                                 std::to_string(values.front()))));
  }
  std::string list;
  for (const Index value : values) list += base::format("{}{}", list.empty() ? "" : ", ", value);
  return text + device_function(
                    base::format("{}(int value)", name),
                    base::format("constexpr int kTable[] = {{{}}}; return kTable[value];", list));
}

}  // namespace jute::codegen
