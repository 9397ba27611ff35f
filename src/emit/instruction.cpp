// One emitter for each form of instruction.
#include <jute/atom/asm_operands.hpp>
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/emit/asm_statement.hpp>
#include <jute/emit/constants.hpp>
#include <jute/emit/instruction.hpp>
#include <jute/emit/interface.hpp>
#include <jute/emit/piece.hpp>

#include "base/format.hpp"

namespace jute {
namespace {

[[noreturn]] void refuse(const std::string& operand, const std::string& value, std::string rule) {
  jute::refuse(ErrorCode::unsupported, operand, value, std::move(rule));
}

std::string immediate_of(const MmaAtom& atom, std::string_view name, int selector) {
  if (name == "selector") return base::format("{:#x}", selector);
  if (name == "transpose_a") return atom.a_major == Major::mn ? "1" : "0";
  if (name == "transpose_b") return atom.b_major == Major::mn ? "1" : "0";
  if (name.starts_with("negate")) return "1";
  return "0";  // scale factors: the first byte of the first lane of a quad
}

/// One register of fragments is an array too.
bool is_array(const AsmOperand& operand) {
  return operand.role != AsmRole::address && operand.role != AsmRole::predicate &&
         operand.type != RegisterType::smem_descriptor;
}

std::string type_text(const AsmOperand& operand) {
  return operand.role == AsmRole::predicate ? "int" : std::string(cuda_type(operand.type));
}

/// The caller's arguments, in the instruction's order: no immediates, and C once.
std::vector<InstructionParameter> parameters_of(const std::vector<AsmOperand>& operands,
                                                Accumulate accumulate) {
  std::vector<InstructionParameter> list;
  for (const AsmOperand& operand : operands) {
    if (operand.role == AsmRole::immediate) continue;
    const bool in_place = accumulate == Accumulate::in_place;
    if (in_place && operand.name == "c") continue;
    const bool written = operand.role == AsmRole::output || operand.role == AsmRole::in_out;
    list.push_back({in_place && operand.name == "d" ? "c" : std::string(operand.name),
                    type_text(operand), is_array(operand), written});
  }
  return list;
}

std::string declaration(const std::vector<InstructionParameter>& parameters) {
  std::string text;
  for (const InstructionParameter& parameter : parameters)
    text += base::format("{}{}{}{} {}", text.empty() ? "" : ", ",
                         parameter.is_array && !parameter.is_written ? "const " : "",
                         parameter.type, parameter.is_array ? "*" : "", parameter.name);
  return text;
}

/// Where the function finds an operand's registers: in its parameters.
std::function<std::string(std::string_view, int)> places(
    const std::vector<InstructionParameter>& parameters) {
  return [parameters](std::string_view name, int index) {
    for (const InstructionParameter& parameter : parameters)
      if (parameter.name == name && !parameter.is_array) return parameter.name;
    return base::format("{}[{}]", name, index);
  };
}

/// The types that a kernel's own text names.
std::string register_types(const MmaAtom& atom) {
  return alias("RegisterA", cuda_type(atom.a_register)) +
         alias("RegisterB", cuda_type(atom.b_register)) +
         alias("RegisterC", cuda_type(atom.c_register));
}

/// A multiply-add of C++, in the type of the sum.
std::string multiply_add(const MmaAtom& atom) {
  const std::string a = "to_compute(a[0])", b = "to_compute(b[0])";
  if (atom.c_type.dtype == DType::f64) return "__fma_rn(" + a + ", " + b + ", c[0])";
  if (atom.c_type.dtype == DType::s32) return a + " * " + b + " + c[0]";
  if (atom.c_type.dtype == DType::f32) return "__fmaf_rn(" + a + ", " + b + ", c[0])";
  refuse("c_type", std::string(atom.c_type.name),
         "the sum of a thread's multiply-add must be f32, f64 or s32");
}

InstructionFunction fma_function(const MmaAtom& atom, const TemplateSet& templates) {
  InstructionFunction function{
      "mma", {{"c", "RegisterC", true, true}, {"a", "RegisterA"}, {"b", "RegisterB"}}, {}, {}};
  for (const ValueType& type : {atom.a_type, atom.b_type}) {
    const std::string path = base::format("convert/{}.cu", type.name);
    if (!templates.pieces().contains(path))
      refuse("type", std::string(type.name), "a thread's factors must have a type of matrices");
    const std::string text = without_interfaces(Piece(templates, path).text());
    if (function.types.find(text) == std::string::npos) function.types += text;
  }
  function.types += alias("RegisterA", atom.a_type.name) + alias("RegisterB", atom.b_type.name) +
                    alias("RegisterC", compute_type(atom.c_type.dtype.value_or(DType::f32)));
  function.text = without_interfaces(Piece(templates, "mma/fma.cu")
                                         .fill("atom", atom.name)
                                         .fill("multiply_add", multiply_add(atom))
                                         .text());
  return function;
}

/// The function that kernels of warps call.
InstructionFunction mma_sync_function(const MmaAtom& atom, const TemplateSet& templates) {
  const std::vector<AsmOperand> operands = asm_operands(atom);
  InstructionFunction function{
      "mma", parameters_of(operands, Accumulate::in_place), register_types(atom), {}};
  const AsmText text = asm_text(operands, {.in_place = true, .place = places(function.parameters)});
  function.text = without_interfaces(Piece(templates, "mma/mma_sync.cu")
                                         .fill("atom", atom.name)
                                         .fill("ptx", atom.ptx)
                                         .fill("arguments", text.arguments)
                                         .fill("outputs", text.outputs)
                                         .fill("inputs", text.inputs)
                                         .text());
  return function;
}

/// The function that kernels of warp groups call.
InstructionFunction wgmma_function(const MmaAtom& atom, const TemplateSet& templates) {
  const AsmStyle style{
      .immediate = [&](std::string_view name) { return immediate_of(atom, name, 0); },
      .run_time_predicates = true};
  const std::vector<AsmOperand> operands = asm_operands(atom);
  InstructionFunction function{
      "mma", parameters_of(operands, Accumulate::in_place), register_types(atom), {}};
  function.text =
      without_interfaces(Piece(templates, "mma/wgmma.cu")
                             .fill("atom", atom.name)
                             .fill("instruction", asm_statement(atom.ptx, operands, style))
                             .text());
  return function;
}

bool is_kernels(const MmaAtom& atom, const InstructionStyle& style) {
  return style.accumulate == Accumulate::in_place && style.name == "mma" &&
         (atom.form == MmaForm::mma || atom.form == MmaForm::wgmma_ss);
}

std::string text_of(const std::string& atom, const std::string& meaning,
                    const InstructionFunction& function, const std::string& instruction,
                    const TemplateSet& templates) {
  return Piece(templates, "instruction/function.cu")
      .fill("atom", atom)
      .fill("meaning", meaning)
      .fill("name", function.name)
      .fill("parameters", declaration(function.parameters))
      .fill("instruction", instruction)
      .text();
}

}  // namespace

InstructionFunction instruction_function(const MmaAtom& atom, const InstructionStyle& style,
                                         const TemplateSet& templates) {
  if (atom.form == MmaForm::fma) return fma_function(atom, templates);
  const std::vector<AsmOperand> operands = asm_operands(atom);
  if (operands.empty())
    refuse("atom", atom.name, "it must be one instruction, which a complex product is not");
  if (is_kernels(atom, style))
    return is_wgmma(atom.form) ? wgmma_function(atom, templates)
                               : mma_sync_function(atom, templates);
  const bool in_place = style.accumulate == Accumulate::in_place;
  const bool has_c = operands.front().role == AsmRole::output;
  if (!in_place && !has_c)
    refuse("accumulate", "apart",
           base::format("the form {} must accumulate in place", name(atom.form)));
  InstructionFunction function{style.name, parameters_of(operands, style.accumulate), {}, {}};
  const AsmStyle written{
      .braces = atom.form != MmaForm::dp,
      .immediate = [&](std::string_view name) { return immediate_of(atom, name, style.selector); },
      .run_time_predicates = true,
      .in_place = in_place,
      .place = places(function.parameters)};
  function.text = text_of(atom.name, in_place ? "c += a * b" : "d = a * b + c", function,
                          asm_statement(atom.ptx, operands, written), templates);
  return function;
}

InstructionFunction instruction_function(const CopyAtom& atom, const TemplateSet& templates) {
  if (atom.box) {
    InstructionFunction box = box_function(atom.form, 2, BoxCache::usual, templates);
    box.text = without_interfaces(box.text);
    return box;
  }
  const std::vector<AsmOperand> operands = asm_operands(atom);
  if (operands.empty())
    refuse("atom", atom.name, "it must be one instruction, which assignments and shuffles are not");
  InstructionFunction function{"copy", parameters_of(operands, Accumulate::apart), {}, {}};
  const bool is_async = atom.form == CopyForm::cp_async || atom.form == CopyForm::cp_async_zfill;
  const AsmStyle style{
      .braces = !is_async && atom.form != CopyForm::movmatrix,
      .immediate =
          [&](std::string_view) { return std::to_string(std::max<Index>(1, src_bits(atom) / 8)); },
      .place = places(function.parameters)};
  function.text = text_of(atom.name, "registers and memory as its layouts say", function,
                          asm_statement(atom.ptx, operands, style), templates);
  return function;
}

std::string call_on_registers(const InstructionFunction& function) {
  std::string arguments;
  for (const InstructionParameter& parameter : function.parameters) {
    const bool is_truth = parameter.name == "scale_d";
    arguments += base::format(
        "{}{}", arguments.empty() ? "" : ", ",
        is_truth ? "1" : base::format("{}_reg{}", parameter.name, parameter.is_array ? "" : "[0]"));
  }
  return call(function.name, arguments);
}

}  // namespace jute
