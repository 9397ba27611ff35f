// The emulator as unit tests use it.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/emulator/emulated_gpu.hpp>
#include <jute/emulator/kernel_name.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

namespace jute {
namespace {

[[noreturn]] void refuse(const PtxKernel& kernel, const std::string& operand,
                         const std::string& value, const std::string& rule) {
  jute::refuse(ErrorCode::signature_mismatch, demangled(kernel.symbol) + ": " + operand, value,
               rule);
}

std::string text_of(const PtxKernel& kernel, size_t index) {
  return "parameter " + std::to_string(index + 1) + ", " + kernel.parameters[index].name;
}

using Bytes = std::vector<std::byte>;

/// A function that appends a value of a kind, from its bytes.
struct AppendRow {
  ParameterKind kind;
  void (*append)(ArgumentBlock& block, const Bytes& bytes);
};
template <auto method>
constexpr AppendRow appends(ParameterKind kind) {
  return {kind, [](ArgumentBlock& block, const Bytes& bytes) {
            const auto append = [&]<class Value>(ArgumentBlock& (ArgumentBlock::*one)(Value)) {
              std::remove_cvref_t<Value> value{};
              std::memcpy(&value, bytes.data(), sizeof value);
              (block.*one)(value);
            };
            append(method);
          }};
}
constexpr std::array kAppends{appends<&ArgumentBlock::pointer>(ParameterKind::pointer),
                              appends<&ArgumentBlock::u8>(ParameterKind::u8),
                              appends<&ArgumentBlock::u16>(ParameterKind::u16),
                              appends<&ArgumentBlock::i32>(ParameterKind::i32),
                              appends<&ArgumentBlock::u32>(ParameterKind::u32),
                              appends<&ArgumentBlock::i64>(ParameterKind::i64),
                              appends<&ArgumentBlock::u64>(ParameterKind::u64),
                              appends<&ArgumentBlock::f32>(ParameterKind::f32),
                              appends<&ArgumentBlock::f64>(ParameterKind::f64),
                              appends<&ArgumentBlock::tensor_map>(ParameterKind::tensor_map)};

void append(ArgumentBlock& block, ParameterKind kind, int alignment, const Bytes& bytes) {
  const auto* const row = std::ranges::find(kAppends, kind, &AppendRow::kind);
  if (row == kAppends.end()) {
    block.bytes(bytes, alignment);
  } else {
    row->append(block, bytes);
  }
}

bool is_floating(ParameterKind kind) {
  return kind == ParameterKind::f32 || kind == ParameterKind::f64;
}

}  // namespace

ArgumentBlock packed_arguments(const PtxKernel& kernel,
                               std::span<const std::vector<std::byte>> values) {
  const auto& declared = kernel.parameters;
  if (values.size() != declared.size())
    refuse(kernel, "arguments", std::to_string(values.size()),
           "there must be one for each of the " + std::to_string(declared.size()) + " parameters " +
               to_string(kernel.signature));
  ArgumentBlock block;
  for (size_t i = 0; i < values.size(); ++i) {
    if (static_cast<Index>(values[i].size()) != declared[i].bytes)
      refuse(kernel, text_of(kernel, i), std::to_string(values[i].size()) + " bytes",
             "it must have " + std::to_string(declared[i].bytes) + " bytes");
    append(block, kernel.signature.parameters[i].kind, declared[i].alignment, values[i]);
  }
  return block;
}

void EmulatedKernel::launch(const LaunchShape& shape,
                            std::initializer_list<KernelArgument> arguments) const {
  std::vector<std::vector<std::byte>> values;
  for (const KernelArgument& argument : arguments) {
    const size_t index = values.size();
    // An int for a float has the right size and the wrong bits.
    if (index < declared_->parameters.size() && argument.is_number() && !argument.is_floating() &&
        is_floating(declared_->signature.parameters[index].kind))
      refuse(*declared_, text_of(*declared_, index), "an integer",
             "it must be a floating-point number");
    values.emplace_back(argument.bytes().begin(), argument.bytes().end());
  }
  backend_->launch(kernel_, {.grid = shape.grid,
                             .block = shape.block,
                             .cluster = shape.cluster,
                             .dynamic_smem_bytes = shape.dynamic_smem_bytes,
                             .arguments = packed_arguments(*declared_, values),
                             .order = shape.order,
                             .residency = shape.residency});
}

namespace {

EmulatorOptions all_checks() {
  EmulatorOptions options;
  options.check = Check::full;
  return options;
}

}  // namespace

EmulatedGpu::EmulatedGpu() : EmulatedGpu(all_checks()) {}
EmulatedGpu::EmulatedGpu(const EmulatorOptions& options) : backend_(open_emulator(options)) {}

EmulatedKernel EmulatedGpu::kernel(std::string_view ptx, std::string_view name) {
  const std::vector<PtxKernel> kernels = list_kernels(ptx);
  EmulatedKernel kernel;
  kernel.backend_ = backend_.get();
  kernel.declared_ = std::make_shared<const PtxKernel>(find_kernel(kernels, name));
  kernel.kernel_ = backend_->load(binary_from_ptx(ptx, kernel.declared_->symbol));
  return kernel;
}

std::vector<Finding> EmulatedGpu::findings() { return backend_->take_report().findings; }

std::string to_string(const std::vector<Finding>& findings) {
  if (findings.empty()) return {};
  Report report;
  report.findings = findings;
  const std::string text = to_string(report);
  return text.substr(0, text.rfind('\n', text.size() - 2) + 1);
}

}  // namespace jute
