// Writes the parts of addresses as small device functions.
#include <jute/emit/index_function.hpp>

#include <jute/layout/algebra.hpp>

#include <cstdlib>

#include "base/format.hpp"

namespace jute::emit {
namespace {

/// A device function that returns the last of its lines.
std::string device_function(std::string_view signature, std::string_view result,
                            std::string_view first_line = {}) {
  return base::format("__device__ __forceinline__ int {} {{\n{}  return {};\n}}\n", signature,
                      first_line, result);
}

std::string swizzled_text(const Swizzle& swizzle, std::string_view variable) {
  return base::format("{0} ^ (({0} & {1:#x}) {2} {3})", variable, swizzle.source_mask(),
                      swizzle.shift() >= 0 ? ">>" : "<<", std::abs(swizzle.shift()));
}

/// The function that swizzles what it computes.
std::string swizzling_function(std::string_view signature, const std::string& before,
                               const Swizzle& swizzle) {
  return device_function(signature, swizzled_text(swizzle, "x"),
                         base::format("  const int x = {};\n", before));
}

std::string sum(std::string left, const std::string& right) {
  if (right == "0") return left;
  return left == "0" ? right : left + " + " + right;
}

/// The heading above the functions.
std::string heading(std::string_view name, std::string_view comment, const Address& address,
                    std::string_view unit) {
  std::string text = base::format("// {}: {}{}", name, comment, unit);
  if (address.form != AddressForm::affine)
    text += base::format(", {}, {}", to_string(address.thread.swizzle()), jute::name(address.form));
  text += base::format(".\n//   thread {}   value {}", to_string(address.thread.layout()),
                       to_string(address.value));
  if (address.form == AddressForm::folded) text += base::format(" ^ {}", to_string(address.flip));
  return text + "\n";
}

}  // namespace

std::string expression(const Layout& layout, std::string_view variable, std::string_view join) {
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
    if (!text.empty()) text += join;
    text += term;
  }
  return text.empty() ? "0" : text;
}

Layout scaled(const Layout& layout, Index factor) {
  return composition(Layout(cosize(layout), factor), layout);
}

std::string smem_function(std::string_view name, std::string_view comment, const Address& address,
                          int element_bytes) {
  const Address bytes = in_bytes(address, element_bytes);
  const Swizzle& swizzle = bytes.thread.swizzle();
  const std::string base =
      sum(expression(bytes.thread.layout(), "thread"), std::to_string(bytes.thread.offset()));
  const std::string of_thread = base::format("{}_base(int thread)", name);
  const std::string of_value = base::format("{}(int base, int value)", name);
  const std::string step = expression(bytes.value, "value");
  const std::string text = heading(name, comment, bytes, "; bytes");
  switch (bytes.form) {
    case AddressForm::affine:
      return text + device_function(of_thread, base) + device_function(of_value, sum("base", step));
    case AddressForm::folded: {
      const std::string flip = expression(bytes.flip, "value", " ^ ");
      const std::string flipped = flip == "0" ? "base" : base::format("(base ^ ({}))", flip);
      return text + swizzling_function(of_thread, base, swizzle) +
             device_function(of_value, sum(flipped, step));
    }
    case AddressForm::evaluated:
      break;
  }
  return text + device_function(of_thread, base) +
         swizzling_function(of_value, sum("base", step), swizzle);
}

std::string coordinate_function(std::string_view name, std::string_view comment,
                                const Address& coordinate) {
  return heading(name, comment, coordinate, "") +
         device_function(base::format("{}_base(int thread)", name),
                         expression(coordinate.thread.layout(), "thread")) +
         device_function(base::format("{}(int value)", name),
                         expression(coordinate.value, "value"));
}

std::string layout_function(std::string_view name, std::string_view comment, const Layout& layout) {
  return base::format("// {}: {}.\n//   {}\n", name, comment, to_string(layout)) +
         device_function(base::format("{}(int value)", name), expression(layout, "value"));
}

}  // namespace jute::emit
