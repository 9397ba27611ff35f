// Two GPUs of one host by NCCL: communicators and ids of the caller's, and what groups add.
#include <jute/device/device.hpp>
#include <jute/ranks/group.hpp>
#include <jute/ranks/in_process.hpp>
#include <jute/transport/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/library_loader.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"
#include "transport/gpu.hpp"
#include "transport/nccl_api.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kRanks = 2, kSecondsOfRanks = 60;
constexpr std::string_view kTooFew = "one GPU";

/// Ends by NCCL, each made in a thread.
std::vector<std::unique_ptr<Communicator>> ends_of(const std::vector<NcclOptions>& options) {
  auto seats = in_process_rendezvous(kRanks);
  std::vector<std::unique_ptr<Communicator>> ends(kRanks);
  std::vector<std::exception_ptr> faults(kRanks);
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < kRanks; ++rank)
    threads.emplace_back([&, rank] {
      try {
        ends[rank] = nccl_communicator(std::move(seats[rank]), options[rank]);
      } catch (...) {
        faults[rank] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& fault : faults)
    if (fault) std::rethrow_exception(fault);
  return ends;
}

/// One rank's GPU with three floats, of which the second and third are results.
class RankFloats {
 public:
  RankFloats(Index rank, float own)
      : backend_(open_device({.ordinal = static_cast<int>(rank)})), memory_(*backend_, 12) {
    const std::vector<float> all{own, -1, -1};
    backend_->copy_in(memory_.pointer(), std::as_bytes(std::span(all)));
    backend_->synchronize();
  }
  [[nodiscard]] DevicePointer at(Index place) const {
    return memory_.pointer() + static_cast<DevicePointer>(4 * place);
  }
  [[nodiscard]] std::string results() const {
    std::vector<float> all(3);
    backend_->copy_out(std::as_writable_bytes(std::span(all)), memory_.pointer());
    return std::to_string(static_cast<int>(all[1])) + " " +
           std::to_string(static_cast<int>(all[2])) + "; ";
  }

 private:
  std::unique_ptr<Backend> backend_;
  Buffer memory_;
};

/// Each rank's number to the other, and the sum of both: "other sum; " by ranks. Groups are of
/// ranks that say the same colour.
std::string ring_and_sum(const std::vector<std::unique_ptr<Communicator>>& ends) {
  std::vector<std::string> texts(kRanks);
  run_ranks(ends, [&](Communicator& end) {
    const Index other = 1 - end.rank();
    const RankFloats floats(end.rank(), static_cast<float>(10 * (end.rank() + 1)));
    const auto word = [&](Index place) { return std::vector<Region>{{floats.at(place), 1, 4, 4}}; };
    end.exchange({.step = "ring", .sends = {{other, word(0)}}, .receives = {{other, word(1)}}});
    end.reduce({"sum", CollectiveKind::all_reduce, DType::f32, 1, floats.at(0), floats.at(2)});
    end.finish();
    texts[static_cast<std::size_t>(end.rank())] = floats.results();
    (void)end.gather_texts("end", "");
  });
  return texts[0] + texts[1];
}

bool has_two_gpus() {
  try {
    (void)open_device({.ordinal = 1});
    return true;
  } catch (const Exception&) {
    return false;
  }
}

/// What the work says on two GPUs.
void expect_on_two(const std::function<std::string()>& work, const std::string& expected) {
  const std::string text =
      on_gpu([&] { return has_two_gpus() ? work() : std::string(kTooFew); }, kSecondsOfRanks);
  if (text == kTooFew) FAIL("SKIPPED: this test needs two GPUs");
  CHECK(text == expected);
}

std::shared_ptr<const transport::NcclLibrary> own_nccl() {
  return transport::load_nccl(transport::nccl_places(), base::system_loader());
}

}  // namespace

TEST_CASE("ranks of two GPUs meet by an ncclUniqueId of the caller's", "[gpu][ranks]") {
  expect_on_two(
      [] {
        const auto library = own_nccl();
        transport::NcclId id;
        if (library->api.unique_id(&id) != transport::kNcclSuccess) return std::string("no id");
        std::vector<NcclOptions> options(kRanks);
        for (int rank = 0; rank < kRanks; ++rank) {
          const auto* const bytes = reinterpret_cast<const std::byte*>(id.bytes);
          options[static_cast<std::size_t>(rank)] = {.ordinal = rank};
          options[static_cast<std::size_t>(rank)].unique_id.assign(bytes, bytes + sizeof id.bytes);
        }
        return ring_and_sum(ends_of(options));
      },
      "20 30; 10 30; ");
}

TEST_CASE("communicators of the caller's are used on two GPUs and left to it", "[gpu][ranks]") {
  expect_on_two(
      [] {
        // What is adopted is made by a communicator of jute's own library, in primary contexts.
        const auto library = own_nccl();
        const transport::NcclApi& api = library->api;
        transport::NcclId id;
        if (api.unique_id(&id) != transport::kNcclSuccess) return std::string("no id");
        std::vector<transport::NcclComm> comms(kRanks, nullptr);
        std::vector<std::thread> threads;
        std::vector<int> results(kRanks);
        for (std::size_t rank = 0; rank < kRanks; ++rank)
          threads.emplace_back([&, rank] {
            const transport::Gpu gpu(
                driver::load_driver(base::system_loader(), driver::DriverNeeds::several_gpus),
                static_cast<int>(rank));
            const transport::OnGpu current(gpu);
            results[rank] =
                api.init_rank(&comms[rank], kRanks, id, static_cast<int>(rank), nullptr);
          });
        for (std::thread& thread : threads) thread.join();
        if (results != std::vector<int>(kRanks)) return std::string("no communicators");
        std::vector<NcclOptions> options(kRanks);
        for (int rank = 0; rank < kRanks; ++rank)
          options[static_cast<std::size_t>(rank)] = {
              .ordinal = rank,
              .adopt_comm = static_cast<std::uint64_t>(
                  reinterpret_cast<std::uintptr_t>(comms[static_cast<std::size_t>(rank)]))};
        std::string text;
        for (int round = 0; round < 2; ++round) text += ring_and_sum(ends_of(options));
        for (const transport::NcclComm comm : comms)
          if (api.destroy(comm) != transport::kNcclSuccess) text += "not destroyed";
        return text;
      },
      "20 30; 10 30; 20 30; 10 30; ");
}

TEST_CASE("groups of split add by NCCL on two GPUs, of both ranks and of each alone",
          "[gpu][ranks]") {
  expect_on_two(
      [] {
        const std::vector<int> ordinals{0, 1};
        const auto ends = nccl_communicators(ordinals, in_process_rendezvous(kRanks));
        std::vector<std::string> texts(kRanks);
        run_ranks(ends, [&](Communicator& end) {
          // The other way round, so that a group's ranks are not the parent's.
          const auto both = split(end, 0, -end.rank());
          const auto alone = split(end, end.rank());
          const RankFloats floats(end.rank(), static_cast<float>(end.rank() + 1));
          both->reduce(
              {"both", CollectiveKind::all_reduce, DType::f32, 1, floats.at(0), floats.at(1)});
          alone->reduce(
              {"alone", CollectiveKind::all_reduce, DType::f32, 1, floats.at(0), floats.at(2)});
          both->finish();
          alone->finish();
          texts[static_cast<std::size_t>(end.rank())] =
              std::to_string(both->rank()) + ": " + floats.results();
          (void)end.gather_texts("end", "");
        });
        return texts[0] + texts[1];
      },
      "1: 3 1; 0: 3 2; ");
}
