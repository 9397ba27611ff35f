// One rank that is a process: runs a product over all ranks until it is told to stop or another
// rank has failed, and says which. bench/ranks_kill.py starts and kills them.
#include <jute/device/device.hpp>
#include <jute/gemm/context.hpp>
#include <jute/ranks/distributed_gemm.hpp>
#include <jute/ranks/file_rendezvous.hpp>
#include <jute/transport/transport.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <thread>

namespace jute::bench {
namespace {

constexpr int kFailedRun = 3, kWrongResult = 4;

/// Says how far it is.
void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

/// Texts alone: where there is no GPU.
void talk(Rendezvous& end, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    (void)end.gather_texts("round", std::to_string(round));
    if (round == 2) say("runs");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// An all-reduce of ones by NCCL: every element of D is K.
class Product {
 public:
  explicit Product(std::unique_ptr<Rendezvous> rendezvous, int ordinal,
                   std::chrono::milliseconds deadline)
      : context_(open_device({.ordinal = ordinal})),
        end_(nccl_communicator(std::move(rendezvous), {.ordinal = ordinal, .deadline = deadline})),
        plan_(make_plan(
            parse_distributed_problem("M=64 N=512 K=128 A=f32 B=f32 D=f32 alpha=1 beta=0 mesh=tp=" +
                                      std::to_string(end_->size()) +
                                      " place=A=K@tp,B=K@tp share=K@tp overlap=none"),
            context_.backend().device_info())),
        gemm_(prepare(context_, plan_, end_->rank())) {
    require_same_plan(*end_, plan_);
    const std::vector<float> ones(std::size_t{64} * 512, 1);
    for (DevicePointer* operand : {&args_.a, &args_.b, &args_.d}) {
      buffers_.emplace_back(context_.backend(), static_cast<Index>(ones.size() * sizeof(float)));
      context_.backend().copy_in(buffers_.back().pointer(), std::as_bytes(std::span(ones)));
      *operand = buffers_.back().pointer();
    }
    buffers_.emplace_back(context_.backend(), gemm_.workspace_bytes());
    args_.workspace = buffers_.back().pointer();
    gemm_.clear_workspace(args_.workspace);
    context_.backend().synchronize();
  }

  /// Is D right after every run?
  bool run(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      gemm_.run(*end_, args_);
      end_->finish({});
      std::vector<float> d(std::size_t{64} * 512);
      context_.backend().copy_out(std::as_writable_bytes(std::span(d)), args_.d);
      if (!std::ranges::all_of(d, [](float element) { return element == 128; })) return false;
      if (round == 2) say("runs");
    }
    return true;
  }

 private:
  Context context_;
  std::unique_ptr<Communicator> end_;
  DistributedPlan plan_;
  DistributedGemm gemm_;
  DistributedArgs args_;
  std::vector<Buffer> buffers_;
};

int run(int rounds, bool has_gpu) {
  constexpr std::chrono::milliseconds kDeadline{3000};
  const RankSettings settings = rank_settings_from_environment();
  auto rendezvous = rendezvous_of(settings, has_gpu ? std::chrono::seconds(20) : kDeadline);
  if (!has_gpu) {
    talk(*rendezvous, rounds);
    return 0;
  }
  Product product(std::move(rendezvous), settings.local_rank.value_or(0), kDeadline);
  return product.run(rounds) ? 0 : kWrongResult;
}

}  // namespace
}  // namespace jute::bench

int main(int count, char** words) {
  using namespace jute;
  const int rounds = count > 1 ? std::atoi(words[1]) : 100;
  const bool has_gpu = count < 3 || std::strcmp(words[2], "texts") != 0;
  try {
    const int status = bench::run(rounds, has_gpu);
    bench::say(status == 0 ? "done" : "wrong D");
    return status;
  } catch (const Exception& exception) {
    bench::say(exception.error().code == ErrorCode::communication_failed
                   ? "communication_failed: " + exception.error().value
                   : exception.what());
    return bench::kFailedRun;
  } catch (const std::exception& exception) {
    bench::say(exception.what());
    return 1;
  }
}
