// Loads kernels into a context and launches them.
#include "device/module.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>

#include <array>
#include <vector>

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
unsigned fill_attributes(const LaunchSpec& spec, std::array<LaunchAttribute, 3>& attributes) {
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
  if (spec.residency == Residency::whole_grid) {
    LaunchAttribute& attribute = attributes[count++];
    attribute.id = kCooperative;
    attribute.value.cooperative = 1;
  }
  return count;
}

}  // namespace

DeviceKernel::DeviceKernel(std::shared_ptr<const DriverContext> context, const Binary& binary)
    : context_(std::move(context)), signature_(binary.signature) {
  for (size_t i = 0; i < signature_.parameters.size(); ++i)
    offsets_.push_back(signature_.offset_bytes(i));
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
    jute::refuse(ErrorCode::signature_mismatch, symbol, to_string(signature_),
                 "parameter " + std::to_string(index + 1) + ": " + rule);
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
    const auto wanted = static_cast<size_t>(size_bytes(signature_.parameters[i]));
    if (bytes != wanted)
      mismatch(
          i, "the kernel takes " + std::to_string(bytes) + " bytes, not " + std::to_string(wanted));
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
  std::array<LaunchAttribute, 3> attributes;
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
  // One pointer a value, and not the packed block: the driver's own places for parameters count
  // from the constant bank's start, so that an alignment of 64 bytes holds there and not in the
  // block. It copies the values before it returns, and changes none though it does not say so.
  auto* const block = const_cast<std::byte*>(spec.arguments.bytes().data());
  std::array<void*, ArgumentBlock::kInlineArguments> few;
  std::vector<void*> many(offsets_.size() > few.size() ? offsets_.size() : 0);
  void** const values = many.empty() ? few.data() : many.data();
  for (size_t i = 0; i < offsets_.size(); ++i) values[i] = block + offsets_[i];
  const CurrentContext current(*context_);
  const Driver& driver = context_->driver();
  driver.require("cuLaunchKernelEx", driver.launch(&config, function_, values, nullptr));
}

}  // namespace jute::device
