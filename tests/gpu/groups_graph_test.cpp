// Runs of groups that a graph has captured, on a real GPU: each replay goes by the list as it then
// is, in one workspace and one behind the other.
#include "race/device/graph.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gpu.hpp"

#include <jute/device/device.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/gemm/reference.hpp>

using namespace jute;
using namespace jute::test;

namespace {

/// A product whose operands hold one value each, and two runs of it.
class CapturedGroups {
 public:
  CapturedGroups(Context& context, const bench::Gpu& gpu, const char* text)
      : context_(context),
        gpu_(gpu),
        problem_(completed(parse_problem(text))),
        gemm_(prepare(context, problem_)),
        a_(filled(operand_bytes(problem_)[TensorRole::a], 0x3f)),
        b_(filled(operand_bytes(problem_)[TensorRole::b], 0x3e)),
        first_(filled(operand_bytes(problem_)[TensorRole::d], 0xff)),
        second_(filled(operand_bytes(problem_)[TensorRole::d], 0xff)),
        ends_(context.backend(), problem_.batch * 4),
        workspace_(filled(gemm_.workspace_bytes(), 0xff)) {
    gemm_.clear_workspace(workspace_.pointer(), gpu_.jute_stream());
  }

  void launch(int index) const {
    GemmArgs args;
    args.a = a_.pointer();
    args.b = b_.pointer();
    args.d = (index % 2 == 0 ? first_ : second_).pointer();
    args.ends = ends_.pointer();
    args.workspace = workspace_.pointer();
    args.stream = gpu_.jute_stream();
    gemm_.run(args);
  }

  /// Both D behind `work`, which launches both runs; where nothing is written they hold poison.
  template <class Work>
  std::vector<std::byte> results(const std::vector<std::int32_t>& list, const Work& work) const {
    Backend& backend = context_.backend();
    const Stream stream = gpu_.jute_stream();
    backend.copy_in(ends_.pointer(), std::as_bytes(std::span(list)), stream);
    for (const Buffer* d : {&first_, &second_})
      backend.fill(d->pointer(), 0xff, d->size_bytes(), stream);
    work();
    std::vector<std::byte> bytes;
    for (const Buffer* d : {&first_, &second_}) {
      std::vector<std::byte> one(static_cast<size_t>(d->size_bytes()));
      backend.copy_out(one, d->pointer(), stream);
      bytes.insert(bytes.end(), one.begin(), one.end());
    }
    return bytes;
  }
  [[nodiscard]] std::optional<Index> fault() const {
    return gemm_.group_fault(workspace_.pointer(), gpu_.jute_stream());
  }

 private:
  Buffer filled(Index bytes, std::uint8_t value) {
    Buffer buffer(context_.backend(), bytes);
    if (bytes > 0) context_.backend().fill(buffer.pointer(), value, bytes, gpu_.jute_stream());
    return buffer;
  }

  Context& context_;
  const bench::Gpu& gpu_;
  Problem problem_;
  Gemm gemm_;
  Buffer a_, b_, first_, second_, ends_, workspace_;
};

constexpr const char* kCaptured[] = {
    "M=512 N=256 K=192 batch=4 groups=rows A=bf16 B=bf16:col beta=0",
    "M=512 N=61 K=77 batch=4 groups=rows A=f32 B=f32 beta=0",
    "M=256 N=512 K=64 batch=4 groups=cols A=bf16 B=bf16:col beta=0",
    "M=128 N=64 K=512 batch=4 groups=k A=bf16:col B=bf16 D=f32 beta=0",
    "M=512 N=128 K=64 batch=4 groups=masked_rows A=f16 B=f16:col beta=0"};

std::string differences_of_captured_groups() {
  const bench::Gpu gpu;
  Context context(open_device(), with_kept_kernels());
  std::string failures;
  for (const char* const text : kCaptured) {
    const CapturedGroups groups(context, gpu, text);
    const auto launch = [&](int index) { groups.launch(index); };
    const bench::Graph graph(gpu, 2, launch, bench::Edges::as_launched);
    // The last breaks the rule, of any kind: nothing is computed.
    for (const std::vector<std::int32_t>& list : {std::vector<std::int32_t>{100, 120, 120, 256},
                                                  {0, 0, 0, 0},
                                                  {128, 128, 128, 128},
                                                  {1, 65, 66, 128},
                                                  {100, 120, 130, -1}}) {
      const auto wanted = groups.results(list, [&] { launch(0), launch(1); });
      if (groups.results(list, [&] { graph.replay(); }) != wanted)
        failures += std::string(text) + ": a replay has other bits than launches by its list\n";
      if (groups.fault().has_value() != (list.back() < 0))
        failures += std::string(text) + ": the fault is not that of the list\n";
    }
  }
  return failures;
}

}  // namespace

TEST_CASE("gpu: groups captured in a graph go by each replay's own list", "[gpu][groups][graph]") {
  CHECK(on_gpu(differences_of_captured_groups, 60) == "");
}
