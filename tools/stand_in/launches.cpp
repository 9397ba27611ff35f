// Launches of kernels, in each of the ways that the driver has for them.
#include "call.hpp"

#include <jute/emulator/emulated_gpu.hpp>

#include <algorithm>
#include <array>
#include <cstring>

using namespace jute;
using namespace jute::driver;
using namespace jute::stand_in;

namespace {

constexpr int kUsualClusterBlocks = 8;

// Attributes that change when or where blocks run, or what is cached, and no result.
constexpr std::array kWithoutEffect{0, 1, 3, 5, 8, 9, 10, 11, 14};

/// The launch, or the name of what it asks for and cannot have.
Status read_attributes(const char* call, const LaunchConfig& config, LaunchSpec& spec) {
  for (unsigned i = 0; i < config.attribute_count; ++i) {
    const LaunchAttribute& attribute = config.attributes[i];
    const auto& cluster = attribute.value.cluster;
    if (attribute.id == kClusterDimension) {
      spec.cluster = {cluster.x, cluster.y, cluster.z};
    } else if (attribute.id == kCooperative) {
      if (attribute.value.cooperative != 0) spec.residency = Residency::whole_grid;
    } else if (attribute.id == kProgrammaticSerialization) {
      if (attribute.value.programmatic != 0) spec.order = LaunchOrder::overlap_previous;
    } else if (std::ranges::find(kWithoutEffect, attribute.id) == kWithoutEffect.end()) {
      say(call, "launch attribute " + std::to_string(attribute.id) + " is not emulated");
      return kNotSupported;
    }
  }
  return kSuccess;
}

// CU_LAUNCH_PARAM_BUFFER_POINTER and …_SIZE in `extra`.
void* const kBufferPointer = reinterpret_cast<void*>(std::uintptr_t{1});
void* const kBufferSize = reinterpret_cast<void*>(std::uintptr_t{2});

using Values = std::vector<std::vector<std::byte>>;

/// The bytes of each parameter: from a pointer each, or from one buffer as the kernel lays it out.
Status read_parameters(const PtxKernel& kernel, void** parameters, void** extra, Values& values) {
  const std::byte* buffer = nullptr;
  size_t bytes = 0;
  for (void** word = extra; word != nullptr && *word != nullptr; word += 2) {
    if (*word == kBufferPointer)
      buffer = static_cast<const std::byte*>(word[1]);
    else if (*word == kBufferSize)
      bytes = *static_cast<const size_t*>(word[1]);
    else
      return kInvalidValue;
  }
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const PtxParameter& declared = kernel.parameters[i];
    const auto offset = static_cast<size_t>(declared.offset_bytes);
    const auto size = static_cast<size_t>(declared.bytes);
    const std::byte* from = nullptr;
    if (parameters != nullptr)
      from = static_cast<const std::byte*>(parameters[i]);
    else if (buffer != nullptr && offset + size <= bytes)
      from = buffer + offset;
    if (from == nullptr) return kInvalidValue;
    values.emplace_back(from, from + size);
  }
  return kSuccess;
}

/// The attribute that a kernel must have been given before it may have it.
Status check_permissions(const char* call, const FunctionState& function, const LaunchSpec& spec) {
  if (spec.dynamic_smem_bytes > function.most_dynamic_smem) {
    say(call, std::to_string(spec.dynamic_smem_bytes) +
                  " bytes of dynamic shared memory must be allowed first: cuFuncSetAttribute with "
                  "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, which is " +
                  std::to_string(function.most_dynamic_smem));
    return kInvalidValue;
  }
  const auto& [x, y, z] = spec.cluster;
  if (x * y * z <= kUsualClusterBlocks || function.allows_large_clusters) return kSuccess;
  say(call,
      "more than 8 blocks in a cluster must be allowed first: cuFuncSetAttribute with "
      "CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED");
  return kInvalidValue;
}

Status launch(const char* call, const LaunchConfig* config, FunctionHandle handle,
              void** parameters, void** extra) {
  return in_context(call, [&](Process& process, ContextState& context) -> Status {
    if (config == nullptr) return kInvalidValue;
    const auto function = process.functions.find(handle);
    if (function == nullptr) return kInvalidHandle;
    LaunchSpec spec;
    spec.grid = {config->grid_x, config->grid_y, config->grid_z};
    spec.block = {config->block_x, config->block_y, config->block_z};
    spec.dynamic_smem_bytes = config->dynamic_smem_bytes;
    if (const Status status = read_attributes(call, *config, spec); status != kSuccess)
      return status;
    if (const Status status = check_permissions(call, *function, spec); status != kSuccess)
      return status;
    Values values;
    if (const Status status = read_parameters(function->declared, parameters, extra, values);
        status != kSuccess)
      return status;
    spec.arguments = packed_arguments(function->declared, values);
    return submit(process, context, config->stream,
                  [&process, function, spec = std::move(spec)](Stream order) -> Status {
                    process.backend().launch(function->kernel, spec, order);
                    return kSuccess;
                  });
  });
}

}  // namespace

JUTE_DRIVER_CALL cuLaunchKernelEx(const LaunchConfig* config, FunctionHandle function,
                                  void** parameters, void** extra) {
  return launch("cuLaunchKernelEx", config, function, parameters, extra);
}

JUTE_DRIVER_CALL cuLaunchKernel(FunctionHandle function, unsigned grid_x, unsigned grid_y,
                                unsigned grid_z, unsigned block_x, unsigned block_y,
                                unsigned block_z, unsigned smem_bytes, StreamHandle stream,
                                void** parameters, void** extra) {
  const LaunchConfig config{grid_x,  grid_y,     grid_z, block_x, block_y,
                            block_z, smem_bytes, stream, nullptr, 0};
  return launch("cuLaunchKernel", &config, function, parameters, extra);
}

JUTE_DRIVER_CALL cuLaunchCooperativeKernel(FunctionHandle function, unsigned grid_x,
                                           unsigned grid_y, unsigned grid_z, unsigned block_x,
                                           unsigned block_y, unsigned block_z, unsigned smem_bytes,
                                           StreamHandle stream, void** parameters) {
  LaunchAttribute cooperative{.id = kCooperative};
  cooperative.value.cooperative = 1;
  const LaunchConfig config{grid_x,  grid_y,     grid_z, block_x,      block_y,
                            block_z, smem_bytes, stream, &cooperative, 1};
  return launch("cuLaunchCooperativeKernel", &config, function, parameters, nullptr);
}
