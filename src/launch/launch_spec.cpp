// The limits of a launch: grid, block, cluster, shared memory.
#include <jute/base/arch_feature.hpp>
#include <jute/launch/launch_spec.hpp>

#include <algorithm>

#include "base/format.hpp"

namespace jute {
namespace {

constexpr Dim3 kMaxGrid{2147483647, 65535, 65535};
constexpr Dim3 kMaxBlock{1024, 1024, 64};
constexpr Index kMaxClusterBlocks = 8;  // what every cluster-capable device runs

bool is_within(const Dim3& value, const Dim3& high) {
  return value.x >= 1 && value.x <= high.x && value.y >= 1 && value.y <= high.y && value.z >= 1 &&
         value.z <= high.z;
}

/// Only for values that are within limits whose product fits 64 bits.
Index volume(const Dim3& value) { return value.x * value.y * value.z; }

std::string text(const Dim3& value) {
  return base::format("({},{},{})", value.x, value.y, value.z);
}

Dim3 clamped(const Dim3& value, const Dim3& high) {
  return {std::clamp<Index>(value.x, 1, high.x), std::clamp<Index>(value.y, 1, high.y),
          std::clamp<Index>(value.z, 1, high.z)};
}

class Findings {
 public:
  void add(std::string_view operand, std::string value, std::string rule,
           std::string nearest = {}) {
    if (error_.violated_rules.empty()) {
      error_.operand = operand;
      error_.value = std::move(value);
      if (!nearest.empty()) error_.nearest_legal = std::move(nearest);
    } else if (error_.operand != operand) {
      // Several fields: each rule names its own.
      error_.operand = "launch";
      error_.value.clear();
      error_.nearest_legal.reset();
    }
    error_.violated_rules.push_back(std::move(rule));
  }
  [[nodiscard]] bool is_empty() const { return error_.violated_rules.empty(); }
  [[nodiscard]] std::optional<Error> take() {
    if (error_.violated_rules.empty()) return std::nullopt;
    return std::move(error_);
  }

 private:
  Error error_{.code = ErrorCode::illegal_config};
};

void check_block(const Dim3& block, const KernelLimits& kernel, Findings& findings) {
  if (!is_within(block, kMaxBlock)) {
    findings.add("block", text(block), "block must be within (1,1,1) and " + text(kMaxBlock),
                 text(clamped(block, kMaxBlock)));
  } else if (volume(block) > kernel.max_threads_per_block) {
    findings.add("block", text(block),
                 base::format("block must have at most {} threads", kernel.max_threads_per_block));
  }
}

void check_cluster(const LaunchSpec& spec, const DeviceInfo& device, Findings& findings) {
  const Dim3& cluster = spec.cluster;
  if (cluster == Dim3{}) return;
  if (!provides(device.arch, ArchFeature::clusters)) {
    findings.add(
        "cluster", text(cluster),
        "cluster must be (1,1,1) on " + to_string(device.arch) + ": clusters begin with sm_90",
        "(1,1,1)");
    return;
  }
  constexpr Dim3 kMost{kMaxClusterBlocks, kMaxClusterBlocks, kMaxClusterBlocks};
  if (!is_within(cluster, kMost) || volume(cluster) > kMaxClusterBlocks) {
    findings.add("cluster", text(cluster),
                 base::format("cluster must have 1 to {} blocks", kMaxClusterBlocks));
  } else if (spec.grid.x % cluster.x != 0 || spec.grid.y % cluster.y != 0 ||
             spec.grid.z % cluster.z != 0) {
    findings.add("grid", text(spec.grid),
                 "grid must be a multiple of the cluster " + text(cluster));
  }
}

/// Blocks that one SM holds at most, by threads and shared memory; registers may allow fewer.
Index blocks_per_sm(const LaunchSpec& spec, const DeviceInfo& device, const KernelLimits& kernel) {
  const Index threads = std::max<Index>(volume(spec.block), 1);
  const Index smem = std::max<Index>(spec.dynamic_smem_bytes + kernel.static_smem_bytes, 1);
  return std::min(device.threads_per_sm / threads, device.smem_bytes_per_sm / smem);
}

/// Only for a launch whose grid, block and shared memory are within their limits.
void check_residency(const LaunchSpec& spec, const DeviceInfo& device, const KernelLimits& kernel,
                     Findings& findings) {
  if (spec.residency != Residency::whole_grid) return;
  const Index most = blocks_per_sm(spec, device, kernel) * device.sm_count;
  if (spec.grid.x > most || spec.grid.y > most || spec.grid.z > most ||
      spec.grid.x * spec.grid.y > most || volume(spec.grid) > most)
    findings.add(
        "grid", text(spec.grid),
        base::format("a launch whose blocks wait for each other must have at most {} blocks: {} "
                     "has room for no more",
                     most, device.name));
}

}  // namespace

std::optional<Error> check(const LaunchSpec& spec, const DeviceInfo& device,
                           const KernelLimits& kernel) {
  Findings findings;
  if (!is_within(spec.grid, kMaxGrid))
    findings.add("grid", text(spec.grid), "grid must be within (1,1,1) and " + text(kMaxGrid),
                 text(clamped(spec.grid, kMaxGrid)));
  check_block(spec.block, kernel, findings);
  check_cluster(spec, device, findings);
  if (kernel.static_smem_bytes > device.smem_bytes_per_block)
    findings.add("static_smem_bytes", std::to_string(kernel.static_smem_bytes),
                 base::format("a kernel's own shared memory must fit the device's {} bytes",
                              device.smem_bytes_per_block));
  const Index smem_limit = std::max(0, device.smem_bytes_per_block - kernel.static_smem_bytes);
  if (spec.dynamic_smem_bytes < 0 || spec.dynamic_smem_bytes > smem_limit)
    findings.add(
        "dynamic_smem_bytes", std::to_string(spec.dynamic_smem_bytes),
        base::format(
            "dynamic_smem_bytes must be 0 to {}: the device's {} less {} of the kernel's own",
            smem_limit, device.smem_bytes_per_block, kernel.static_smem_bytes),
        std::to_string(std::clamp<Index>(spec.dynamic_smem_bytes, 0, smem_limit)));
  if (findings.is_empty()) check_residency(spec, device, kernel, findings);
  return findings.take();
}

}  // namespace jute
