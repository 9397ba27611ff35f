// Copies behind the program's back: cp.async, bulk copies, boxes of tensor maps.
#include "kernels/kernel_case.hpp"
#include "kernels/values.hpp"

#include <algorithm>

namespace jute::test {
namespace {

TensorMapSpec words_2d(Index width, Index height, Index box_width, Index box_height,
                       TmaSwizzle swizzle) {
  return {.type = DType::s32,
          .dims = {width, height},
          .strides_bytes = {width * 4},
          .box = {box_width, box_height},
          .element_strides = {1, 1},
          .swizzle = swizzle};
}

KernelCase tma_transpose_2d() {
  constexpr size_t kWidth = 76, kHeight = 40;  // ragged on both sides
  const std::vector<std::uint32_t> from = words(1, kWidth * kHeight);
  std::vector<std::uint32_t> to(from.size());
  for (size_t y = 0; y < kHeight; ++y)
    for (size_t x = 0; x < kWidth; ++x) to[x * kHeight + y] = from[y * kWidth + x];
  return {
      .name = "tma_transpose_2d",
      .file = "tma_transpose_2d",
      .arrays = {input(from), output(to)},
      .launches = {{.symbol = "tma_transpose_2d",
                    .grid = {3, 2},
                    .block = {128},
                    .smem_bytes = 2 * 4096 + 8,
                    .arguments = {MapOf{0, words_2d(kWidth, kHeight, 32, 32, TmaSwizzle::b128)},
                                  MapOf{1, words_2d(kHeight, kWidth, 32, 32, TmaSwizzle::b128)}}}}};
}

KernelCase bulk_ring() {
  constexpr size_t kBlocks = 2, kPieces = 23, kWords = 96;
  const std::vector<std::uint32_t> in = words(2, kBlocks * kPieces * kWords);
  std::vector<std::uint32_t> sums(kBlocks * kWords);
  for (size_t i = 0; i < in.size(); ++i)
    sums[i / (kPieces * kWords) * kWords + i % kWords] +=
        in[i] * static_cast<std::uint32_t>(i / kWords % kPieces + 1);
  return {.name = "bulk_ring",
          .file = "bulk_ring",
          .arrays = {input(in), output(sums)},
          .launches = {{.symbol = "bulk_ring",
                        .grid = {kBlocks},
                        .block = {128},
                        .smem_bytes = 4 * 384 + 64,
                        .arguments = {AddressOf{0}, AddressOf{1}, int{kPieces}}}}};
}

KernelCase cp_async_pipeline() {
  constexpr size_t kRows = 17, kRow = 128;
  const std::vector<std::uint32_t> in = words(3, kRows * kRow);
  std::vector<std::uint32_t> out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    out[i] = (i < kRow ? 0 : in[i - kRow]) + 2 * in[i] + (i + kRow < in.size() ? in[i + kRow] : 0);
  return {.name = "cp_async_pipeline",
          .file = "cp_async_pipeline",
          .arrays = {input(in), output(out)},
          .launches = {{.symbol = "cp_async_pipeline",
                        .grid = {1},
                        .block = {kRow},
                        .smem_bytes = 6 * 512,
                        .arguments = {AddressOf{0}, AddressOf{1}, int{kRows}}}}};
}

KernelCase tma_copy_1d() {
  constexpr size_t kBlocks = 2, kPieces = 5, kWords = kBlocks * kPieces * 64 - 24;  // ends inside
  const std::vector<std::uint32_t> values = words(4, kWords);
  const TensorMapSpec map = {
      .type = DType::s32, .dims = {kWords}, .box = {64}, .element_strides = {1}};
  return {.name = "tma_copy_1d",
          .file = "tma_copy_1d",
          .arrays = {input(values), output(values)},
          .launches = {{.symbol = "tma_copy_1d",
                        .grid = {kBlocks},
                        .block = {32},
                        .smem_bytes = 2 * 256 + 16,
                        .arguments = {MapOf{0, map}, MapOf{1, map}, int{kPieces}}}}};
}

KernelCase tma_halo_3d() {
  constexpr int kX = 20, kY = 7, kZ = 5;
  const std::vector<std::uint32_t> volume = words(5, kX * kY * kZ);
  const auto at = [&](int x, int y, int z) {
    const bool inside = x >= 0 && x < kX && y >= 0 && y < kY && z >= 0 && z < kZ;
    return inside ? volume[static_cast<size_t>((z * kY + y) * kX + x)] : 0;
  };
  std::vector<std::uint32_t> sums;
  for (int z = 0; z < kZ; ++z)
    for (int y = 0; y < kY; ++y)
      for (int x = 0; x < kX; ++x) {
        sums.push_back(0);
        for (int i = 0; i < 27; ++i)
          sums.back() += at(x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1);
      }
  const TensorMapSpec map = {.type = DType::s32,
                             .dims = {kX, kY, kZ},
                             .strides_bytes = {kX * 4, kX * kY * 4},
                             .box = {16, 6, 4},
                             .element_strides = {1, 1, 1}};
  return {.name = "tma_halo_3d",
          .file = "tma_halo_3d",
          .arrays = {input(volume), output(sums)},
          .launches = {{.symbol = "tma_halo_3d",
                        .grid = {3, 2, 3},
                        .block = {64},
                        .smem_bytes = 16 * 6 * 4 * 4 + 8,
                        .arguments = {MapOf{0, map}, AddressOf{1}, kX, kY, kZ}}}};
}

KernelCase tma_reduce_2d() {
  constexpr int kBlocks = 3, kTile = 16, kWidth = kTile * (kBlocks + 1) / 2;
  const std::vector<std::uint32_t> before = words(6, kWidth * kTile);
  std::vector<std::uint32_t> sum = before, most(before.size(), 50);
  const std::vector<std::uint32_t> floor = most;
  for (int block = 0; block < kBlocks; ++block)
    for (int i = 0; i < 3 * kTile * kTile; ++i) {
      const int round = i / (kTile * kTile), e = i % (kTile * kTile);
      const auto value = static_cast<std::uint32_t>((e * 7 + block * 13 + round * 31) % 101);
      const auto at = static_cast<size_t>(e / kTile * kWidth + block * kTile / 2 + e % kTile);
      sum[at] += value;
      most[at] = std::max(most[at], value);
    }
  const TensorMapSpec map = words_2d(kWidth, kTile, kTile, kTile, TmaSwizzle::none);
  return {.name = "tma_reduce_2d",
          .file = "tma_reduce_2d",
          .arrays = {updated(before, sum), updated(floor, most)},
          .launches = {{.symbol = "tma_reduce_2d",
                        .grid = {kBlocks},
                        .block = {64},
                        .smem_bytes = kTile * kTile * 4,
                        .arguments = {MapOf{0, map}, MapOf{1, map}}}}};
}

KernelCase bulk_reduce() {
  constexpr size_t kBlocks = 3, kEach = 300, kBins = 64;
  const std::vector<std::uint32_t> in = words(7, kBlocks * kEach);
  const std::vector<std::uint32_t> before = words(8, kBins);
  std::vector<std::uint32_t> counts = before;
  for (const std::uint32_t value : in) ++counts[value % kBins];
  return {.name = "bulk_reduce",
          .file = "bulk_reduce",
          .arrays = {input(in), updated(before, counts)},
          .launches = {{.symbol = "bulk_reduce",
                        .grid = {kBlocks},
                        .block = {128},
                        .smem_bytes = kBins * 4,
                        .arguments = {AddressOf{0}, AddressOf{1}, int{kEach}}}}};
}

KernelCase cp_async_mbarrier() {
  constexpr size_t kPieces = 11, kWords = 256, kThreads = 64;
  const std::vector<std::uint32_t> in = words(9, kPieces * kWords);
  std::vector<std::uint32_t> out(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    const size_t word = i % kWords;
    out[i - word + word % kThreads * 4 + word / kThreads] = in[i];
  }
  return {.name = "cp_async_mbarrier",
          .file = "cp_async_mbarrier",
          .arrays = {input(in), output(out)},
          .launches = {{.symbol = "cp_async_mbarrier",
                        .grid = {1},
                        .block = {128},
                        .smem_bytes = 3 * 1024 + 48,
                        .arguments = {AddressOf{0}, AddressOf{1}, int{kPieces}}}}};
}

}  // namespace

std::vector<KernelCase> copy_cases() {
  return {tma_copy_1d(), tma_transpose_2d(), tma_halo_3d(),       tma_reduce_2d(),
          bulk_ring(),   bulk_reduce(),      cp_async_pipeline(), cp_async_mbarrier()};
}

}  // namespace jute::test
