// Writes each dimension of a View's box as a sum over the modes that step along it.
#include "codegen/views.hpp"

#include <cctype>

#include "base/format.hpp"

namespace jute::codegen {
namespace {

/// What the modes of one coordinate add to a place: ` + row % 64 * 128ll + row / 64 * 65536ll`.
std::string steps_text(const std::vector<ViewMode>& modes, int axis, std::string_view coordinate) {
  std::string text;
  Index unit = 1;
  for (size_t i = 0; i < modes.size(); ++i) {
    const ViewMode& mode = modes[i];
    const Index of = unit;
    unit *= mode.extent;
    if (mode.axis != axis || mode.stride == 0) continue;
    std::string at(coordinate);
    if (of > 1) at += base::format(" / {}", of);
    if (i + 1 < modes.size()) at += base::format(" % {}", mode.extent);
    text += mode.stride < 0 ? base::format(" - {} * {}ll", at, -mode.stride)
                            : base::format(" + {} * {}ll", at, mode.stride);
  }
  return text;
}

std::string place_text(const ViewModes& modes, int axis) {
  return base::format("{}ll", modes.origin[static_cast<size_t>(axis)]) +
         steps_text(modes.rows, axis, "row") + steps_text(modes.columns, axis, "column") +
         steps_text(modes.batch, axis, "matrix");
}

}  // namespace

std::string element_function(std::string_view operand, const View& view) {
  const ViewModes modes = modes_of(view);
  const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(operand.front())));
  const bool has_zeros = modes.outside == OutsideBox::zero;
  std::string lines, outside, element;
  for (size_t axis = 0; axis < modes.box.size(); ++axis) {
    const auto [extent, stride] = modes.box[axis];
    lines += base::format("  const long long place{} = {};\n", axis,
                          place_text(modes, static_cast<int>(axis)));
    outside +=
        base::format("{}place{} < 0 || place{} >= {}", axis == 0 ? "" : " || ", axis, axis, extent);
    element += base::format("{}place{}", axis == 0 ? "" : " + ", axis) +
               (stride == 1 ? "" : base::format(" * {}ll", stride));
  }
  return base::format("// Where {}'s element lies{}: {}.\n", upper,
                      has_zeros ? ", -1 where zero stands for it" : "", to_string(view)) +
         base::format(
             "__device__ __forceinline__ long long element_{}(unsigned row, unsigned column, "
             "unsigned matrix) {{\n",
             operand) +
         lines + (has_zeros ? "  if (" + outside + ") return -1;\n" : "") + "  return " + element +
         ";\n}\n";
}

}  // namespace jute::codegen
