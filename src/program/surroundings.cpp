// What a program asks while it runs: the chip, and whoever types.
#include <algorithm>
#include <array>

#include "program/host_arithmetic.hpp"
#include "program/host_walk.hpp"

namespace jute::program {
namespace {

/// A member of cudaDeviceProp, and what follows cudaDevAttr in the attribute of the same meaning.
struct DeviceFact {
  std::string_view member, attribute;
  std::int64_t (*value)(const DeviceInfo& device);
};
constexpr std::string_view kAttribute = "cudaDevAttr";
template <std::int64_t kValue>
std::int64_t always(const DeviceInfo& /*device*/) {
  return kValue;
}
using Chip = const DeviceInfo&;
// clang-format off
constexpr DeviceFact kDeviceFacts[] = {
    {"multiProcessorCount", "MultiProcessorCount", [](Chip c) -> Index { return c.sm_count; }},
    {"warpSize", "WarpSize", always<32>},
    {"maxThreadsPerBlock", "MaxThreadsPerBlock", always<1024>},
    {"maxThreadsPerMultiProcessor", "MaxThreadsPerMultiProcessor", [](Chip c) -> Index { return c.threads_per_sm; }},
    {"maxBlocksPerMultiProcessor", "MaxBlocksPerMultiprocessor", [](Chip c) -> Index { return c.threads_per_sm / 64; }},
    {"sharedMemPerBlock", "MaxSharedMemoryPerBlock", always<49152>},
    {"sharedMemPerBlockOptin", "MaxSharedMemoryPerBlockOptin", [](Chip c) -> Index { return c.smem_bytes_per_block; }},
    {"sharedMemPerMultiprocessor", "MaxSharedMemoryPerMultiprocessor",
     [](Chip c) -> Index { return c.smem_bytes_per_sm; }},
    {"regsPerBlock", "MaxRegistersPerBlock", [](Chip c) -> Index { return c.registers_per_sm; }},
    {"regsPerMultiprocessor", "MaxRegistersPerMultiprocessor", [](Chip c) -> Index { return c.registers_per_sm; }},
    {"major", "ComputeCapabilityMajor", [](Chip c) -> Index { return c.arch.number / 10; }},
    {"minor", "ComputeCapabilityMinor", [](Chip c) -> Index { return c.arch.number % 10; }},
    {"l2CacheSize", "L2CacheSize", [](Chip c) -> Index { return c.l2_bytes; }},
    {"totalGlobalMem", "", [](Chip c) -> Index { return c.memory_bytes; }},
    {"totalConstMem", "TotalConstantMemory", always<65536>},
    {"concurrentKernels", "ConcurrentKernels", always<1>},
    {"cooperativeLaunch", "CooperativeLaunch", always<1>},
    {"unifiedAddressing", "UnifiedAddressing", always<1>},
    {"managedMemory", "ManagedMemory", always<1>},
};
// clang-format on
constexpr Dim3 kMostThreads{1024, 1024, 64}, kMostBlocks{2147483647, 65535, 65535};

/// A word of standard input; what is no number is not known.
HostValue number_in(std::string_view word) {
  const bool is_negative = word.starts_with('-');
  const HostValue number = number_of(word.substr(is_negative ? 1 : 0));
  return is_negative ? operated("-", std::int64_t{0}, number) : number;
}

}  // namespace

bool HostWalk::device_call(Frame& frame, std::string_view name,
                           const std::vector<CudaTokens>& arguments) {
  if (!around_.device || arguments.empty()) return false;
  const std::string target = target_of(arguments[0]);
  if (name == "cudaGetDevice" || name == "cudaGetDeviceCount") {
    set(frame.scope, target, std::int64_t{name == "cudaGetDeviceCount"});
  } else if (name == "cudaGetDeviceProperties") {
    for (const DeviceFact& fact : kDeviceFacts)
      frame.scope.values[target + "." + std::string(fact.member)] = fact.value(*around_.device);
    frame.scope.values[target + ".maxThreadsDim"] = kMostThreads;
    frame.scope.values[target + ".maxGridSize"] = kMostBlocks;
    asks_device_ = true;
  } else if (name == "cudaDeviceGetAttribute" && arguments.size() > 1 && !arguments[1].empty()) {
    std::string_view asked = arguments[1].back().text;
    asked.remove_prefix(asked.starts_with(kAttribute) ? kAttribute.size() : 0);
    const auto* fact = std::ranges::find(kDeviceFacts, asked, &DeviceFact::attribute);
    set(frame.scope, target,
        fact == std::end(kDeviceFacts) ? HostValue() : fact->value(*around_.device));
    asks_device_ = true;
  } else {
    return false;
  }
  return true;
}

void HostWalk::stream_read(Frame& frame, std::size_t at) {
  const CudaTokens tokens = frame.function.body;
  const auto goes_on = [&](std::size_t i) { return is(tokens, i, ">") && is(tokens, i + 1, ">"); };
  const std::size_t begin = at >= 2 && is(tokens, at - 1, "::") ? at - 2 : at;
  for (std::size_t i = at + 1; goes_on(i);) {
    const std::size_t first = i += 2;
    while (i < expression_end(tokens, first) && !goes_on(i)) ++i;
    read_input(frame, begin, tokens.subspan(first, i - first));
  }
}

bool HostWalk::scan_call(Frame& frame, std::size_t at, std::string_view name,
                         const std::vector<CudaTokens>& arguments) {
  const bool is_of_file = name == "fscanf" && arguments.size() > 1 && is(arguments[0], 0, "stdin");
  if (name != "scanf" && name != "scanf_s" && !is_of_file) return false;
  for (std::size_t i = is_of_file ? 2 : 1; i < arguments.size(); ++i)
    read_input(frame, at, arguments[i].subspan(is(arguments[i], 0, "&") ? 1 : 0));
  return true;
}

/// The next word goes to the target. Nobody follows how many elements or members are read: behind
/// them no word's place is known.
void HostWalk::read_input(Frame& frame, std::size_t at, CudaTokens target) {
  if (target.size() != 1 || !is_word(target, 0)) {
    words_read_ = around_.input.size();
    return;
  }
  const std::string name(target[0].text);
  if (is_known(frame.scope.value(name)) && is_conditional(frame, at)) return;
  HostValue read;
  if (words_read_ < around_.input.size()) {
    read = number_in(around_.input[words_read_++]);
    if (const auto type = number_type(frame.scope.type(name), frame.scope, macros_))
      read = converted(read, *type);
  } else {
    const InputRead unread{name, line_of(frame.function.body[at].at)};
    if (std::ranges::find(unread_, unread) == unread_.end()) unread_.push_back(unread);
  }
  set(frame.scope, name, read);
}

}  // namespace jute::program
