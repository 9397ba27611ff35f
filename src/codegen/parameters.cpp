// The parameters and literals of a kernel as its text declares them.
#include "codegen/parameters.hpp"

#include <jute/launch/c_type.hpp>
#include <utility>

#include "base/format.hpp"

namespace jute::codegen {
namespace {

/// What the kernel's text declares for the address of the name.
constexpr std::pair<std::string_view, std::string_view> kPointers[] = {
    {"a", "const ElemA* __restrict__ a"},
    {"b", "const ElemB* __restrict__ b"},
    {"c", "const ElemC* c"},
    {"d", "ElemD* d"},
    {"arrived", "unsigned* arrived"},
    {"parts", "Vector<Accum, kPartElems>* parts"},
    {"stamps", "Clock* stamps"}};
constexpr std::string_view kMap = "const __grid_constant__ TensorMap ";

/// `const ElemIn0* in0`. Elements of an input may be those of an output: only what threads share is
/// never written.
std::string operand_pointer(std::string_view name) {
  const bool is_input = name.starts_with("in");
  return base::format("{}Elem{}{}* {}", is_input ? "const " : "", is_input ? "In" : "Out",
                      name.substr(is_input ? 2 : 3), name);
}

/// What the kernel before may still be writing while this one runs is not constant: its loads stay
/// behind the wait.
constexpr std::pair<std::string_view, std::string_view> kOverlapping[] = {{"a", "const ElemA* a"},
                                                                          {"b", "const ElemB* b"}};

std::string declaration(const KernelParameter& parameter, LaunchOrder order) {
  if (order == LaunchOrder::overlap_previous)
    for (const auto& [name, text] : kOverlapping)
      if (name == parameter.name) return std::string(text);
  for (const auto& [name, text] : kPointers)
    if (name == parameter.name) return std::string(text);
  const bool is_operand = parameter.name.starts_with("in") || parameter.name.starts_with("out");
  if (is_operand && parameter.kind == ParameterKind::pointer)
    return operand_pointer(parameter.name);
  if (parameter.name == "gathered" || parameter.name.starts_with("lines"))
    return "unsigned* " + parameter.name;
  if (parameter.name.starts_with("partials")) return "Compute* " + parameter.name;
  if (parameter.kind == ParameterKind::tensor_map) return std::string(kMap) + parameter.name;
  return base::format("{} {}", c_type(parameter.kind), parameter.name);
}

}  // namespace

std::string compute_type(DType compute) {
  if (compute == DType::f64) return "double";
  return compute == DType::s32 ? "int" : "float";
}

std::string parameter_text(const GemmStep& step) {
  std::string text;
  for (const KernelParameter& parameter : step.parameters)
    text += (text.empty() ? "    " : ",\n    ") + declaration(parameter, step.order);
  return text + "\n";
}

std::string parameter_text(const MoveStep& step) {
  std::string text;
  for (const KernelParameter& parameter : step.parameters) {
    const std::string& name = parameter.name;
    text += text.empty() ? "    " : ",\n    ";
    if (parameter.kind != ParameterKind::pointer)
      text += base::format("{} {}", c_type(parameter.kind), name);
    else if (name.starts_with("in") || name.starts_with("out"))
      text += operand_pointer(name);
    else
      text += base::format("{}{}{}* {}", name.ends_with("_source") ? "const " : "",
                           name.ends_with("_sums")     ? "Sum"
                           : name.ends_with("_target") ? "Part"
                                                       : "Elem",
                           name.front() == 'a' ? 'A' : 'B', name);
  }
  return text + "\n";
}

std::string literal_text(const GemmStep& step) {
  std::string text;
  for (const KernelNumber& number : numbers(step))
    if (number.extent.baked)
      text += base::format("constexpr {} {} = {};\n", c_type(number.kind), number.name,
                           number.extent.value);
  if (step.epilogue.beta == Scale::one)
    text += base::format("constexpr {} beta = 1;\n", compute_type(step.epilogue.compute));
  return text;
}

}  // namespace jute::codegen
