// Threads of a warp, warps of a block, blocks of a grid.
#include "kernels/kernel_case.hpp"
#include "kernels/values.hpp"

#include <algorithm>
#include <array>

namespace jute::test {
namespace {

using Words = std::vector<std::uint32_t>;

/// One launch of a kernel that has the name of its file.
KernelCase simple(const char* name, Dim3 grid, int threads, Index smem_bytes,
                  std::vector<Array> arrays, std::vector<Argument> numbers = {}) {
  std::vector<Argument> arguments;
  for (size_t i = 0; i < arrays.size(); ++i) arguments.push_back(AddressOf{i});
  arguments.insert(arguments.end(), numbers.begin(), numbers.end());
  return {.name = name,
          .file = name,
          .arrays = std::move(arrays),
          .launches = {{.symbol = name,
                        .grid = grid,
                        .block = {threads},
                        .smem_bytes = smem_bytes,
                        .arguments = std::move(arguments)}}};
}

KernelCase warp_collectives() {
  const Words in = words(30, 64);
  Words out(2 * 8 * 32);
  for (size_t warp = 0; warp < 2; ++warp) {
    const std::uint32_t* v = in.data() + warp * 32;
    std::uint32_t odd = 0;
    for (size_t i = 0; i < 32; ++i) odd |= (v[i] & 1) << i;
    for (size_t lane = 0; lane < 32; ++lane) {
      std::array<std::uint32_t, 8> row{};
      for (size_t i = lane; i < 32; ++i) row[0] += v[i];
      row[1] = *std::max_element(v, v + 32);
      row[2] = odd;
      for (size_t i = 0; i < 32; ++i)
        row[3] |= static_cast<std::uint32_t>(v[i] % 5 == v[lane] % 5) << i;
      row[4] =
          static_cast<std::uint32_t>(std::all_of(v, v + 32, [](auto x) { return x % 256 < 200; }));
      for (size_t i = lane / 16 * 16; i < lane / 16 * 16 + 16; ++i)
        row[5] = lane < 16 ? row[5] + v[i] % 1000 : std::max(row[5], v[i] % 1000);
      row[6] = v[lane / 8 * 8];
      row[7] = static_cast<std::uint32_t>(lane == 0);
      for (size_t i = 0; i < 8; ++i) out[(warp * 8 + i) * 32 + lane] = row[i];
    }
  }
  return simple("warp_collectives", {1}, 64, 0, {input(in), output(out)});
}

KernelCase named_barriers() {
  constexpr size_t kRounds = 9, kHalf = 64;
  const Words in = words(31, kRounds * kHalf);
  Words out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    out[i] = in[i / kHalf * kHalf + (kHalf - 1 - i % kHalf)] * 3;
  return simple("named_barriers", {1}, 128, 2 * 256, {input(in), output(out)}, {int{kRounds}});
}

KernelCase block_votes() {
  constexpr size_t kRounds = 5, kThreads = 96;
  Words in = words(32, kRounds * kThreads), out;
  for (size_t i = 0; i < kThreads; ++i) in[i] |= 1;  // one round where all hold
  for (size_t round = 0; round < kRounds; ++round) {
    const std::uint32_t* v = in.data() + round * kThreads;
    const auto count = std::count_if(v, v + kThreads, [](auto x) { return x % 256 < 128; });
    const bool all = std::all_of(v, v + kThreads, [](auto x) { return x % 64 != 0; });
    const bool any = std::any_of(v, v + kThreads, [](auto x) { return x % 128 == 0; });
    out.insert(
        out.end(), 32,
        static_cast<std::uint32_t>(count) << 16 | std::uint32_t{all} << 8 | std::uint32_t{any});
  }
  return simple("block_votes", {1}, kThreads, 0, {input(in), output(out)}, {int{kRounds}});
}

KernelCase mbarrier_tokens() {
  constexpr size_t kRounds = 8, kThreads = 96, kLeavesAt = kRounds / 2;
  const Words in = words(33, kRounds * kThreads);
  Words out(kThreads);
  for (size_t thread = 0; thread < kThreads; ++thread)
    for (size_t round = 0; round < (thread < 64 ? kRounds : kLeavesAt); ++round) {
      const size_t threads = round <= kLeavesAt ? kThreads : 64;
      out[thread] +=
          in[round * kThreads + thread] * 7 + in[round * kThreads + (thread + 1) % threads];
    }
  return simple("mbarrier_tokens", {1}, kThreads, 2 * kThreads * 4 + 8, {input(in), output(out)},
                {int{kRounds}});
}

KernelCase atomics() {
  constexpr size_t kCount = 3 * 64;
  const Words in = words(34, kCount), before = {5, 0xffffffff, 3, 1, 0, 12345};
  Words after = before;
  std::vector<std::uint64_t> packed = {7};
  for (const std::uint32_t value : in) {
    after[0] = std::max(after[0], value);
    after[1] = std::min(after[1], value);
    after[2] ^= value;
    after[3] |= value % 4096;
    after[4] = after[4] >= 9 ? 0 : after[4] + 1;
    after[5] = (after[5] * 3 + 1) % 65521;
    packed[0] += std::uint64_t{value} << 20;
  }
  return simple(
      "atomics", {3}, 64, 0,
      {updated(before, after), updated(std::vector<std::uint64_t>{7}, packed), input(in)});
}

KernelCase flags_scan() {
  constexpr size_t kBlocks = 6, kEach = 3, kThreads = 64;
  const Words in = words(35, kBlocks * kEach * kThreads);
  Words sums(kBlocks * kThreads);
  for (size_t block = 0; block < kBlocks; ++block)
    for (size_t i = 0; i < (block + 1) * kEach * kThreads; ++i)
      sums[block * kThreads + i % kThreads] += in[i];
  return simple("flags_scan", {kBlocks}, kThreads, 0,
                {input(in), output(sums), updated(Words(kBlocks, 0), Words(kBlocks, 1))},
                {int{kEach}});
}

KernelCase split_k_counter() {
  constexpr int kTiles = 3, kSplitK = 4, kK = 5, kThreads = 64;
  const std::vector<int> a = integers(36, kTiles * kSplitK * kK, -99, 99);
  const std::vector<int> b = integers(37, kSplitK * kK * kThreads, -99, 99);
  std::vector<int> parts(kTiles * kSplitK * kThreads), out(kTiles * kThreads);
  for (size_t tile = 0; tile < kTiles; ++tile)
    for (size_t i = 0; i < kSplitK * kK * kThreads; ++i) {
      const size_t k = i / kThreads, column = i % kThreads;
      const int term = a[tile * kSplitK * kK + k] * b[i];
      parts[(tile * kSplitK + k / kK) * kThreads + column] += term;
      out[tile * kThreads + column] += term;
    }
  return simple("split_k_counter", {kTiles, kSplitK}, kThreads, 0,
                {input(a), input(b), output(parts), input(Words(kTiles, 0)), output(out)}, {kK});
}

KernelCase grid_tickets() {
  constexpr std::uint32_t kBlocks = 3, kPieces = 11, kThreads = 64;
  const Words in = words(38, kPieces * kThreads);
  Words out = in;
  for (std::uint32_t i = 0; i < out.size(); ++i) out[i] = out[i] * out[i] + i / kThreads;
  return simple("grid_tickets", {kBlocks}, kThreads, 0,
                {input(in), output(out), updated(Words{0}, Words{kPieces + kBlocks})},
                {int{kPieces}});
}

KernelCase grid_barrier() {
  constexpr size_t kBlocks = 3, kThreads = 64, kSteps = 5, kCells = kBlocks * kThreads;
  const Words before = words(39, kCells);
  std::array<Words, 2> cells = {before, Words(kCells)};
  for (size_t step = 0; step < kSteps; ++step)
    for (size_t i = 0; i < kCells; ++i) {
      const Words& from = cells[step % 2];
      cells[(step + 1) % 2][i] =
          from[(i + kCells - 1) % kCells] + 2 * from[i] + from[(i + 1) % kCells];
    }
  return simple(
      "grid_barrier", {kBlocks}, kThreads, 0,
      {updated(before, cells[0]), output(cells[1]), updated(Words{0}, Words{kBlocks * kSteps})},
      {int{kSteps}});
}

KernelCase dependent_launch() {
  constexpr size_t kBlocks = 4, kThreads = 64, kCount = kBlocks * kThreads;
  const Words in = words(40, kCount), weights = words(41, kCount);
  Words squares(kCount), out(kCount);
  for (size_t i = 0; i < kCount; ++i) squares[i] = in[i] * in[i];
  for (size_t i = 0; i < kCount; ++i) out[i] = squares[kCount - 1 - i] * weights[i];
  return {.name = "dependent_launch",
          .file = "dependent_launch",
          .arrays = {input(in), output(squares), input(weights), output(out)},
          .launches = {{.symbol = "produce",
                        .grid = {kBlocks},
                        .block = {kThreads},
                        .arguments = {AddressOf{0}, AddressOf{1}}},
                       {.symbol = "consume",
                        .grid = {kBlocks},
                        .block = {kThreads},
                        .arguments = {AddressOf{1}, AddressOf{2}, AddressOf{3}},
                        .order = LaunchOrder::overlap_previous}}};
}

}  // namespace

std::vector<KernelCase> warp_cases() {
  return {warp_collectives(), named_barriers(),  block_votes(),     mbarrier_tokens(),
          atomics(),          flags_scan(),      split_k_counter(), grid_tickets(),
          grid_barrier(),     dependent_launch()};
}

}  // namespace jute::test
