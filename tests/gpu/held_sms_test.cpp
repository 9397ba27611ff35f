// Slices of K that meet while another kernel holds most of the chip: nobody waits for blocks that
// have no room, or the launch itself waits for room.
#include "support/catch.hpp"
#include "support/compiler.hpp"
#include "support/context_options.hpp"
#include "support/gpu.hpp"

#include <jute/device/device.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/launch/own_stream.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

using namespace jute;
using namespace jute::test;

namespace {

/// A block has an SM to itself until it is released, or its time is over.
Source holder_source(Arch arch) {
  return {
      .symbol = "hold",
      .text =
          R"(extern "C" __global__ void hold(volatile unsigned* words, unsigned long long most_ns) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  atomicAdd(const_cast<unsigned*>(words) + 1, 1u);
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (words[0] == 0 && now - start < most_ns);
  if (words[0] == 0) words[2] = 1;
}
)",
      .arch = arch,
      .signature = parse_signature("(pointer words, u64 most_ns)")};
}

/// All but 32 SMs. Words: released, blocks that hold, and whether one gave up by itself.
class Holder {
 public:
  Holder(Backend& backend, Kernel kernel)
      : backend_(backend),
        kernel_(std::move(kernel)),
        words_(backend, 12),
        here_(backend),
        beside_(backend) {}
  void start(std::chrono::nanoseconds most) {
    constexpr int kLeft = 32;
    const DeviceInfo info = backend_.device_info();
    const int blocks = std::max(info.sm_count - kLeft, 1);
    backend_.fill(words_.pointer(), 0, words_.size_bytes(), here_.get());
    LaunchSpec spec{.grid = {blocks, 1, 1}, .block = {32, 1, 1}};
    spec.dynamic_smem_bytes = info.smem_bytes_per_block;
    spec.arguments.pointer(words_.pointer()).u64(static_cast<std::uint64_t>(most.count()));
    backend_.launch(kernel_, spec, here_.get());
    while (word(1) < 32U * static_cast<unsigned>(blocks))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void release() {
    const unsigned yes = 1;
    backend_.copy_in(words_.pointer(), std::as_bytes(std::span(&yes, 1)), beside_.get());
  }
  /// Did it hold until it was released?
  [[nodiscard]] bool gave_up() {
    backend_.synchronize();
    return word(2) != 0;
  }

 private:
  Backend& backend_;
  Kernel kernel_;
  Buffer words_;
  OwnStream here_, beside_;

  unsigned word(size_t index) {
    std::array<unsigned, 3> words{};
    backend_.copy_out(std::as_writable_bytes(std::span(words)), words_.pointer(), beside_.get());
    return words.at(index);
  }
};

constexpr Index kRows = 256, kColumns = 256, kSum = 4096;
constexpr Index kBytesOfD = kRows * kColumns * 2;

/// Runs of one product on a stream of its own. All but what must be zero of its workspace is
/// poisoned before every hundredth run, and D.
class Runs {
 public:
  Runs(Context& context, const char* config)
      : backend_(context.backend()),
        gemm_(prepare(context, problem(), parse_config(config))),
        stream_(backend_),
        a_(backend_, kRows * kSum * 2),
        b_(backend_, kColumns * kSum * 2),
        d_(backend_, kBytesOfD),
        workspace_(backend_, gemm_.workspace_bytes()) {
    std::vector<double> values(static_cast<size_t>(kRows * kSum));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 7 % 5) - 2;
    const std::vector<std::byte> encoded = encode(DType::bf16, values);
    for (const Buffer* buffer : {&a_, &b_})
      backend_.copy_in(buffer->pointer(), encoded, stream_.get());
    gemm_.clear_workspace(workspace_.pointer(), stream_.get());
  }
  void hundred() {
    const Index zeroed = gemm_.zeroed_bytes();
    if (workspace_.size_bytes() > zeroed)
      backend_.fill(workspace_.pointer() + static_cast<DevicePointer>(zeroed), 0xff,
                    workspace_.size_bytes() - zeroed, stream_.get());
    backend_.fill(d_.pointer(), 0xff, kBytesOfD, stream_.get());
    for (int run = 0; run < 100; ++run)
      gemm_.run({.a = a_.pointer(),
                 .b = b_.pointer(),
                 .d = d_.pointer(),
                 .workspace = workspace_.pointer(),
                 .stream = stream_.get()});
  }
  [[nodiscard]] std::vector<std::byte> result() {
    std::vector<std::byte> d(static_cast<size_t>(kBytesOfD));
    backend_.copy_out(d, d_.pointer(), stream_.get());
    return d;
  }

 private:
  Backend& backend_;
  Gemm gemm_;
  OwnStream stream_;
  Buffer a_, b_, d_, workspace_;

  static Problem problem() {
    Problem product;
    product.m = kRows;
    product.n = kColumns;
    product.k = kSum;
    product.a = product.c = product.d = {.type = DType::bf16};
    product.b = {.type = DType::bf16, .order = Order::col};
    product.beta = Factor::zero;
    return product;
  }
};

/// Two streams of a thousand runs each, while the holder has its SMs for `held`; it is released
/// behind them where it may wait for them.
std::string failures_beside_holder(const char* config, std::chrono::nanoseconds held,
                                   bool is_released_behind) {
  Context context(open_device(), with_kept_kernels());
  Backend& backend = context.backend();
  Holder holder(backend, backend.load(test_compiler().compile(
                             holder_source(backend.device_info().arch), Output::ptx_and_cubin)));
  Runs whole(context, "split_k=1 tile=128x128x64"), one(context, config), other(context, config);
  whole.hundred();  // sums of small integers are exact: slices give the same bits
  const std::vector<std::byte> wanted = whole.result();
  std::string failures;
  holder.start(held);
  for (int hundred = 0; hundred < 10; ++hundred) {
    for (Runs* runs : {&one, &other}) runs->hundred();
    for (Runs* runs : {&one, &other})
      if (runs->result() != wanted)
        failures += std::string(config) + ": another D than of whole sums\n";
  }
  if (is_released_behind) holder.release();
  if (holder.gave_up() == is_released_behind)
    failures += is_released_behind ? "the holder was not there to the end\n"
                                   : "the holder ended before its time\n";
  return failures;
}

}  // namespace

TEST_CASE("gpu: slices that the last block adds need no room for all of them",
          "[gpu][specialised][slices]") {
  // 64 blocks of each stream on 32 SMs.
  const auto work = [] {
    return failures_beside_holder("split_k=16 tile=128x128x64 reduction=last_adds",
                                  std::chrono::seconds(30), true);
  };
  CHECK(on_gpu(work, 60) == "");
}

TEST_CASE("gpu: slices that all blocks add wait for room, and then run",
          "[gpu][specialised][slices]") {
  const auto work = [] {
    return failures_beside_holder("split_k=16 tile=128x128x64 reduction=all_add",
                                  std::chrono::milliseconds(50), false);
  };
  CHECK(on_gpu(work, 60) == "");
}
