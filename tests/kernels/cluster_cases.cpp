// Blocks of a cluster: memory of one another, barriers of them all.
#include "kernels/kernel_case.hpp"
#include "kernels/values.hpp"

namespace jute::test {
namespace {

KernelCase dsmem_reduce() {
  constexpr size_t kClusters = 2, kRows = 10, kColumns = 128;
  const std::vector<std::uint32_t> in = words(20, kClusters * kRows * kColumns);
  std::vector<std::uint32_t> out(kClusters * kColumns);
  for (size_t i = 0; i < in.size(); ++i)
    out[i / (kRows * kColumns) * kColumns + i % kColumns] += in[i];
  return {.name = "dsmem_reduce",
          .file = "dsmem_reduce",
          .arrays = {input(in), output(out)},
          .launches = {{.symbol = "dsmem_reduce",
                        .grid = {kClusters * 4},
                        .block = {kColumns},
                        .cluster = {4},
                        .smem_bytes = kColumns * 4,
                        .arguments = {AddressOf{0}, AddressOf{1}, int{kRows}}}}};
}

/// Four blocks of one cluster that read the first array and write the second.
KernelCase ring_of_four(const char* name, int threads, Index smem_bytes,
                        const std::vector<std::uint32_t>& in, const std::vector<std::uint32_t>& out,
                        std::vector<Argument> more) {
  std::vector<Argument> arguments = {AddressOf{0}, AddressOf{1}};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return {.name = name,
          .file = name,
          .arrays = {input(in), output(out)},
          .launches = {{.symbol = name,
                        .grid = {4},
                        .block = {threads},
                        .cluster = {4},
                        .smem_bytes = smem_bytes,
                        .arguments = std::move(arguments)}}};
}

KernelCase dsmem_push() {
  constexpr size_t kRounds = 7, kWords = 64;
  const std::vector<std::uint32_t> in = words(21, kRounds * kWords);
  std::vector<std::uint32_t> out = in;
  for (std::uint32_t& value : out)
    for (std::uint32_t rank = 0; rank < 4; ++rank) value = value * 3 + rank;
  return ring_of_four("dsmem_push", kWords, 2 * 256 + 32, in, out, {int{kRounds}});
}

KernelCase dsmem_bulk() {
  constexpr size_t kBlocks = 4, kWords = 32;
  const std::vector<std::uint32_t> in = words(22, kBlocks * kBlocks * kWords);
  std::vector<std::uint32_t> out(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    const size_t from = i / kWords / kBlocks, to = i / kWords % kBlocks;
    out[(to * kBlocks + from) * kWords + i % kWords] = in[i];
  }
  return ring_of_four("dsmem_bulk", kWords, 2 * kBlocks * 128 + 8, in, out, {});
}

KernelCase cluster_ring() {
  constexpr size_t kRounds = 9, kThreads = 32;
  const std::vector<std::uint32_t> in = words(23, 4 * kThreads);
  std::vector<std::uint32_t> out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    for (size_t round = 1; round <= kRounds; ++round)
      out[i] = out[i] * 5 + in[(i + round * kThreads) % in.size()];
  return ring_of_four("cluster_ring", kThreads, kThreads * 4 + 16, in, out, {int{kRounds}});
}

KernelCase cluster_histogram() {
  constexpr size_t kValues = 500;
  std::vector<std::uint8_t> in(kValues);
  for (size_t i = 0; i < kValues; ++i) in[i] = static_cast<std::uint8_t>(mixed(24, i));
  std::vector<std::uint32_t> counts(256);
  for (const std::uint8_t value : in) ++counts[value];
  return {.name = "cluster_histogram",
          .file = "cluster_histogram",
          .arrays = {input(in), output(counts)},
          .launches = {{.symbol = "cluster_histogram",
                        .grid = {2},
                        .block = {64},
                        .cluster = {2},
                        .smem_bytes = 512,
                        .arguments = {AddressOf{0}, AddressOf{1}, int{kValues}}}}};
}

}  // namespace

std::vector<KernelCase> cluster_cases() {
  return {dsmem_reduce(), dsmem_push(), dsmem_bulk(), cluster_ring(), cluster_histogram()};
}

}  // namespace jute::test
