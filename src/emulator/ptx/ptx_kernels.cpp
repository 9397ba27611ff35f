// Lists the kernels of a PTX text with their parameters.
#include "emulator/ptx/parameters.hpp"

#include <jute/emulator/ptx.hpp>

#include <algorithm>

#include "base/format.hpp"

namespace jute::emulator {
namespace {

constexpr Index kTensorMapBytes = 128;
constexpr int kTensorMapAlign = 64;

ParameterKind kind_of(const Variable& variable, bool pointers_are_marked) {
  const ElementType& type = variable.type;
  if (type.bytes == 8) {
    if (type.kind == 'f') return ParameterKind::f64;
    if (variable.is_pointer || !pointers_are_marked) return ParameterKind::pointer;
    return type.kind == 's' ? ParameterKind::i64 : ParameterKind::u64;
  }
  if (type.bytes == 1) return ParameterKind::u8;
  if (type.bytes == 2) return ParameterKind::u16;
  if (type.kind == 'f' && type.bytes == 4) return ParameterKind::f32;
  return type.kind == 's' ? ParameterKind::i32 : ParameterKind::u32;
}

}  // namespace

static Signature signature_of(const PtxFunction& function, bool pointers_are_marked) {
  Signature signature;
  for (const int index : function.parameters) {
    const Variable& variable = function.variables[static_cast<size_t>(index)];
    if (!variable.is_array && variable.bytes <= 8) {
      signature.parameters.push_back({variable.name, kind_of(variable, pointers_are_marked)});
    } else if (variable.bytes == kTensorMapBytes && variable.align >= kTensorMapAlign) {
      signature.parameters.push_back({variable.name, ParameterKind::tensor_map});
    } else {
      signature.parameters.push_back(
          {variable.name, ParameterKind::bytes, static_cast<int>(variable.bytes), variable.align});
    }
  }
  return signature;
}

}  // namespace jute::emulator

namespace jute {

std::vector<PtxKernel> list_kernels(std::string_view ptx) {
  const emulator::PtxModule module = emulator::parse_ptx(ptx);
  Index module_shared = 0;
  for (const emulator::Variable& variable : module.variables)
    if (variable.space == emulator::Space::shared && !variable.is_extern)
      module_shared += variable.bytes;
  bool marked = false;
  for (const emulator::PtxFunction& function : module.functions)
    for (const emulator::Variable& variable : function.variables) marked |= variable.is_pointer;
  std::vector<PtxKernel> kernels;
  for (const emulator::PtxFunction& function : module.functions) {
    if (!function.is_entry || !function.has_body) continue;
    PtxKernel kernel;
    kernel.symbol = function.name;
    kernel.signature = emulator::signature_of(function, marked);
    kernel.parameters = emulator::declared_parameters(function);
    kernel.target = module.target;
    kernel.max_threads =
        function.required_threads[0] > 0 ? function.required_threads : function.max_threads;
    kernel.static_smem_bytes = module_shared;
    for (const emulator::Variable& variable : function.variables)
      if (variable.space == emulator::Space::shared) kernel.static_smem_bytes += variable.bytes;
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

Binary binary_from_ptx(std::string_view ptx, std::string_view symbol) {
  const std::vector<PtxKernel> kernels = list_kernels(ptx);
  const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const PtxKernel& kernel) {
    return symbol.empty() ? kernels.size() == 1 : kernel.symbol == symbol;
  });
  if (found == kernels.end()) {
    std::string names;
    for (const PtxKernel& kernel : kernels) names += (names.empty() ? "" : ", ") + kernel.symbol;
    throw Exception(Error{.code = ErrorCode::unknown_name,
                          .operand = "kernel",
                          .value = std::string(symbol),
                          .violated_rules = {"it must be one that the PTX text defines: " +
                                             (names.empty() ? "none" : names)},
                          .nearest_legal = std::nullopt,
                          .position = std::nullopt,
                          .detail = {}});
  }
  Binary binary;
  binary.symbol = found->symbol;
  binary.arch = found->target;
  binary.signature = found->signature;
  binary.ptx = std::string(ptx);
  return binary;
}

}  // namespace jute
