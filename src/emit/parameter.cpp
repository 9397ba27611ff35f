// The memory that pointers point at, by their names.
#include <jute/emit/parameter.hpp>

#include <cctype>
#include <utility>

#include "base/format.hpp"

namespace jute {
namespace {

/// By the name without a number; of others, as a and in3, it is const ElemA, const ElemIn3.
/// Elements of an input may be those of an output: only what threads share is never written.
constexpr std::pair<std::string_view, std::string_view> kPointers[] = {
    {"d", "ElemD"},
    {"out", "ElemOut{}"},
    {"gathered", "unsigned"},
    {"lines", "unsigned"},
    {"partials", "Gathered"},
    {"arrived", "unsigned"},
    {"arrivals", "Arrivals"},
    {"parts", "Vector<Accum, kPartElems>"},
    {"stamps", "Clock"},
    {"ends", "const GroupEnd"},
    {"list", "EachGroup"},
    {"rows_a", "const IndexA"},
    {"rows_b", "const IndexB"},
    {"rows_d", "const IndexD"},
    {"fault", "unsigned"},
    {"maps", "TensorMap"},
    {"a_source", "const ElemA"},
    {"b_source", "const ElemB"},
    {"a_target", "PartA"},
    {"b_target", "PartB"},
    {"c_source", "const ElemC"},
    {"c_target", "PartC"},
    {"d_source", "const ElemD"},
    {"d_target", "PartD"},
    {"d_values", "const Compute"},
    {"d_most", "const Compute"},
    {"a_scale", "const unsigned char"},  // numbers of blocks, of any type
    {"b_scale", "const unsigned char"},
    {"a_zero", "const unsigned char"},
    {"b_zero", "const unsigned char"},
    {"a_sums", "SumA"},
    {"b_sums", "SumB"}};

}  // namespace

std::string pointer_parameter(std::string_view name, Pointee pointee) {
  const size_t end = name.find_last_not_of("0123456789") + 1;
  const std::string_view number = name.substr(end);
  const auto capital = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  std::string type = base::format("const Elem{}{}", capital, name.substr(1));
  for (const auto& [stem, pointed] : kPointers)
    if (stem == name.substr(0, end))
      type = base::vformat({pointed.data(), pointed.size()}, fmt::make_format_args(number));
  return base::format("{}*{} {}", type, pointee == Pointee::constant ? " __restrict__" : "", name);
}

}  // namespace jute
