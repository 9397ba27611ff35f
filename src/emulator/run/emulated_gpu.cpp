// The emulator as unit tests use it.
#include <jute/base/error.hpp>
#include <jute/emulator/emulated_gpu.hpp>
#include <jute/emulator/kernel_name.hpp>

#include <cstring>

namespace jute {
namespace {

[[noreturn]] void refuse(const PtxKernel& kernel, const std::string& operand,
                         const std::string& value, const std::string& rule) {
  throw Exception({.code = ErrorCode::signature_mismatch,
                   .operand = demangled(kernel.symbol) + ": " + operand,
                   .value = value,
                   .violated_rules = {rule}});
}

std::string text_of(const PtxKernel& kernel, size_t index) {
  return "parameter " + std::to_string(index + 1) + ", " + kernel.parameters[index].name;
}

template <class T>
T value_in(const std::vector<std::byte>& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

void append(ArgumentBlock& block, ParameterKind kind, int alignment,
            const std::vector<std::byte>& bytes) {
  switch (kind) {
    case ParameterKind::pointer:
      block.pointer(value_in<DevicePointer>(bytes));
      return;
    case ParameterKind::u8:
      block.u8(value_in<std::uint8_t>(bytes));
      return;
    case ParameterKind::u16:
      block.u16(value_in<std::uint16_t>(bytes));
      return;
    case ParameterKind::i32:
      block.i32(value_in<std::int32_t>(bytes));
      return;
    case ParameterKind::u32:
      block.u32(value_in<std::uint32_t>(bytes));
      return;
    case ParameterKind::i64:
      block.i64(value_in<std::int64_t>(bytes));
      return;
    case ParameterKind::u64:
      block.u64(value_in<std::uint64_t>(bytes));
      return;
    case ParameterKind::f32:
      block.f32(value_in<float>(bytes));
      return;
    case ParameterKind::f64:
      block.f64(value_in<double>(bytes));
      return;
    case ParameterKind::tensor_map:
      block.tensor_map(value_in<EncodedTensorMap>(bytes));
      return;
    case ParameterKind::bytes:
      block.bytes(bytes, alignment);
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
