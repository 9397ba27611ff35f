// Loads kernels into a context and launches them.
#include "device/module.hpp"

#include <jute/base/error.hpp>

#include <array>

#include "device/stream.hpp"

namespace jute::device {
namespace {

/// Loads one image; the log of a failed load comes back with the status.
struct LoadResult {
  Status status = kSuccess;
  std::string log;
};

LoadResult load_image(const Driver& driver, const void* image, ModuleHandle& module) {
  std::array<char, 8192> log{};
  std::array<int, 2> options{kJitErrorLog, kJitErrorLogBytes};
  // The driver takes numbers in the places of pointers.
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size() - 1)};
  const Status status = driver.module_load(&module, image, static_cast<unsigned>(options.size()),
                                           options.data(), values.data());
  return {status, std::string(log.data())};
}

/// The attributes that the launch needs; returns how many.
unsigned fill_attributes(const LaunchSpec& spec, std::array<LaunchAttribute, 2>& attributes) {
  unsigned count = 0;
  if (spec.cluster != Dim3{}) {
    LaunchAttribute& attribute = attributes[count++];
    attribute.id = kClusterDimension;
    attribute.value.cluster = {static_cast<unsigned>(spec.cluster.x),
                               static_cast<unsigned>(spec.cluster.y),
                               static_cast<unsigned>(spec.cluster.z)};
  }
  if (spec.order == LaunchOrder::overlap_previous) {
    LaunchAttribute& attribute = attributes[count++];
    attribute.id = kProgrammaticSerialization;
    attribute.value.programmatic = 1;
  }
  return count;
}

}  // namespace

DeviceKernel::DeviceKernel(std::shared_ptr<const Context> context, const Binary& binary)
    : context_(std::move(context)), signature_(binary.signature) {
  const CurrentContext current(*context_);
  load(binary);
  try {
    find_function(binary.symbol);
    check_parameters(binary.symbol);
  } catch (const Exception&) {
    unload();
    throw;
  }
}

void DeviceKernel::load(const Binary& binary) {
  const Driver& driver = context_->driver();
  if (!binary.cubin.empty()) {
    const LoadResult cubin = load_image(driver, binary.cubin.data(), module_);
    if (cubin.status == kSuccess) return;
    if (cubin.status != kNoBinaryForGpu || binary.ptx.empty())
      throw_status(driver, "cuModuleLoadDataEx", cubin.status, cubin.log);
  }
  const LoadResult ptx = load_image(driver, binary.ptx.c_str(), module_);
  if (ptx.status != kSuccess) throw_status(driver, "cuModuleLoadDataEx", ptx.status, ptx.log);
}

void DeviceKernel::find_function(const std::string& symbol) {
  const Driver& driver = context_->driver();
  driver.require("cuModuleGetFunction",
                 driver.module_function(&function_, module_, symbol.c_str()));
  const auto read = [&](FunctionAttribute which) {
    int value = 0;
    driver.require("cuFuncGetAttribute", driver.function_attribute(&value, which, function_));
    return value;
  };
  limits_ = {.max_threads_per_block = read(kMaxThreadsPerBlock),
             .static_smem_bytes = read(kStaticSmemBytes)};
  // More than 48 KB must be asked for once; the cap costs nothing where less is used.
  const int cap = context_->device_info().smem_bytes_per_block - limits_.static_smem_bytes;
  driver.require("cuFuncSetAttribute",
                 driver.function_set_attribute(function_, kMaxDynamicSmemBytes, cap));
}

void DeviceKernel::check_parameters(const std::string& symbol) const {
  const Driver& driver = context_->driver();
  if (driver.function_parameter == nullptr) return;
  const auto mismatch = [&](size_t index, const std::string& rule) {
    throw Exception({.code = ErrorCode::signature_mismatch,
                     .operand = symbol,
                     .value = to_string(signature_),
                     .violated_rules = {"parameter " + std::to_string(index + 1) + ": " + rule}});
  };
  const size_t count = signature_.parameters.size();
  for (size_t i = 0; i <= count; ++i) {
    size_t offset = 0;
    size_t bytes = 0;
    const Status status = driver.function_parameter(function_, i, &offset, &bytes);
    const bool is_there = status != kInvalidValue;  // the driver's answer beyond the last one
    if (is_there) driver.require("cuFuncGetParamInfo", status);
    if (is_there != (i < count))
      mismatch(i, is_there ? "the kernel takes one more" : "the kernel takes fewer");
    if (i == count) return;
    const auto wanted_offset = static_cast<size_t>(signature_.offset_bytes(i));
    const auto wanted_bytes = static_cast<size_t>(size_bytes(signature_.parameters[i].kind));
    if (offset != wanted_offset || bytes != wanted_bytes)
      mismatch(i, "the kernel takes " + std::to_string(bytes) + " bytes at " +
                      std::to_string(offset) + ", not " + std::to_string(wanted_bytes) + " at " +
                      std::to_string(wanted_offset));
  }
}

void DeviceKernel::unload() noexcept { (void)context_->driver().module_unload(module_); }

DeviceKernel::~DeviceKernel() {
  try {
    const CurrentContext current(*context_);
    unload();
  } catch (const Exception&) {
    // The context is gone, and the module with it.
  }
}

void DeviceKernel::launch(const LaunchSpec& spec, Stream stream) const {
  spec.arguments.check(signature_);
  if (auto error = check(spec, context_->device_info(), limits_))
    throw Exception(std::move(*error));
  std::array<LaunchAttribute, 2> attributes;
  const unsigned count = fill_attributes(spec, attributes);
  const LaunchConfig config{static_cast<unsigned>(spec.grid.x),
                            static_cast<unsigned>(spec.grid.y),
                            static_cast<unsigned>(spec.grid.z),
                            static_cast<unsigned>(spec.block.x),
                            static_cast<unsigned>(spec.block.y),
                            static_cast<unsigned>(spec.block.z),
                            static_cast<unsigned>(spec.dynamic_smem_bytes),
                            handle_of(stream),
                            attributes.data(),
                            count};
  const auto bytes = spec.arguments.bytes();
  size_t size = bytes.size();
  // The driver copies the buffer before it returns.
  std::array<void*, 5> extra{
      kParameterBuffer,
      const_cast<std::byte*>(bytes.data()),  // read only, but not declared so
      kParameterBytes, &size, kParameterEnd};
  const CurrentContext current(*context_);
  const Driver& driver = context_->driver();
  driver.require("cuLaunchKernelEx", driver.launch(&config, function_, nullptr, extra.data()));
}

}  // namespace jute::device
