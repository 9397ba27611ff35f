// Bytes by NCCL's stand-in and by copies: what came is what was sent, and faults end on all ranks.
#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "dist/distributed_cases.hpp"
#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "transport/stand_in_gpus.hpp"

namespace jute::test {
namespace {

using std::chrono::milliseconds;

std::vector<std::unique_ptr<Communicator>> nccl_ends(Index ranks, milliseconds deadline) {
  return stand_in_nccl_ends(in_process_rendezvous(ranks, {.deadline = deadline}), deadline);
}
std::vector<std::unique_ptr<Communicator>> ends_by_copies(Index ranks, milliseconds deadline) {
  return transport::copy_ends(stand_in_gpus(ranks),
                              in_process_rendezvous(ranks, {.deadline = deadline}),
                              {.deadline = deadline});
}
using MakeEnds = std::vector<std::unique_ptr<Communicator>> (*)(Index, milliseconds);

/// Host memory of a rank that regions lie in.
struct Arena {
  std::vector<std::byte> bytes = std::vector<std::byte>(1 << 16);
  Index used = 0;
  Region region(Index rows, Index row_bytes, Index gap) {
    Region result{static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(bytes.data())) +
                      static_cast<DevicePointer>(used),
                  rows, row_bytes, row_bytes + gap};
    used += rows * (row_bytes + gap);
    return result;
  }
};

/// A number of bytes cut into regions of any shape.
std::vector<Region> random_regions(Arena& arena, Index bytes, std::mt19937& random) {
  const auto below = [&](Index end) {
    return std::uniform_int_distribution<Index>(0, end - 1)(random);
  };
  std::vector<Region> regions;
  while (bytes > 0) {
    const Index row_bytes = 1 + below(std::min<Index>(bytes, 24));
    const Index rows = 1 + below(std::min<Index>(bytes / row_bytes, 9));
    regions.push_back(arena.region(rows, row_bytes, below(2) * below(7)));
    bytes -= rows * row_bytes;
  }
  return regions;
}

/// The bytes of regions, one behind the other, by a plain walk.
std::vector<std::byte*> places_of(const std::vector<Region>& regions) {
  std::vector<std::byte*> places;
  for (const Region& region : regions)
    for (Index row = 0; row < region.rows; ++row)
      for (Index byte = 0; byte < region.row_bytes; ++byte)
        places.push_back(reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(
            region.base + static_cast<DevicePointer>(row * region.pitch_bytes + byte))));
  return places;
}

/// What ranks send each other in one step, and what must be there after it.
struct RandomExchange {
  std::vector<std::unique_ptr<Arena>> arenas;
  std::vector<Exchange> exchanges;
  std::vector<std::pair<std::byte*, std::byte*>> pairs;  // from, to

  RandomExchange(Index ranks, std::mt19937& random) : exchanges(static_cast<std::size_t>(ranks)) {
    for (Index rank = 0; rank < ranks; ++rank) {
      arenas.push_back(std::make_unique<Arena>());
      for (std::byte& byte : arenas.back()->bytes) byte = static_cast<std::byte>(random());
      exchanges[static_cast<std::size_t>(rank)].step = "step";
    }
    for (std::size_t from = 0; from < arenas.size(); ++from)
      for (std::size_t to = 0; to < arenas.size(); ++to) {
        const Index bytes = std::uniform_int_distribution<Index>(0, 300)(random);
        if (bytes < 60) continue;
        const auto sent = random_regions(*arenas[from], bytes, random);
        const auto received = random_regions(*arenas[to], bytes, random);
        const auto sources = places_of(sent), targets = places_of(received);
        for (std::size_t i = 0; i < sources.size(); ++i) pairs.emplace_back(sources[i], targets[i]);
        exchanges[from].sends.push_back({static_cast<Index>(to), sent});
        exchanges[to].receives.push_back({static_cast<Index>(from), received});
      }
  }
};

void check_random_exchanges(MakeEnds make) {
  std::mt19937 random(41);
  for (Index ranks = 1; ranks <= 5; ++ranks) {
    reset_stand_in(host_memory());
    {
      const auto ends = make(ranks, milliseconds(20000));
      for (int round = 0; round < 8; ++round) {
        RandomExchange it(ranks, random);
        std::vector<std::byte> sent;
        for (const auto& pair : it.pairs) sent.push_back(*pair.first);
        run_ranks(ends, [&](Communicator& end) {
          end.exchange(it.exchanges[static_cast<std::size_t>(end.rank())]);
          end.finish();
          (void)end.gather_texts("all done", "");
        });
        std::vector<std::byte> received;
        for (const auto& pair : it.pairs) received.push_back(*pair.second);
        REQUIRE(received == sent);
      }
    }
    CHECK(stand_in().live_comms == 0);
    CHECK(stand_in().live_events == 0);
    CHECK(stand_in().live_streams == 0);
    CHECK(stand_in().live_allocs == 0);
  }
}

/// Each sends its one byte to the next.
struct Ring {
  explicit Ring(Index ranks) : bytes(static_cast<std::size_t>(2 * ranks)) {}
  std::vector<std::byte> bytes;

  [[nodiscard]] Region place(std::size_t at) {
    return {static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(&bytes[at])), 1, 1, 1};
  }
  void round(Communicator& end, const std::string& step) {
    const Index size = end.size(), rank = end.rank();
    const auto at = static_cast<std::size_t>(2 * rank);
    end.exchange({.step = step,
                  .sends = {{(rank + 1) % size, {place(at)}}},
                  .receives = {{(rank + size - 1) % size, {place(at + 1)}}}});
    end.finish();
  }
};

void check_that_a_fresh_one_works(MakeEnds make, Index ranks) {
  Ring ring(ranks);
  const auto ends = make(ranks, milliseconds(20000));
  run_ranks(ends, [&](Communicator& end) { ring.round(end, "again"); });
}

}  // namespace

TEST_CASE("random exchanges bring what was sent, by NCCL and by copies", "[transport][law]") {
  check_random_exchanges(nccl_ends);
  check_random_exchanges(ends_by_copies);
}

TEST_CASE("16 random distributions by NCCL's calls leave the bits of one rank",
          "[transport][law]") {
  constexpr Index kMost = 9;
  const RanksOfEmulators emulators(kMost);
  std::mt19937 random(43);
  for (int i = 0; i < 16; ++i) {
    DistributedProblem asked = random_distributed(random);
    asked.placements.d.sums.clear();
    const DistributedPlan plan = make_plan(asked, device_preset("h200"));
    INFO(plan.problem);
    const Problem& problem = plan.problem.problem;
    const Index ranks = rank_count(plan.problem.mesh);
    const WholeData data = whole_data(problem, random, Numbers::integers);
    const double alpha = problem.alpha == Factor::run_time ? 2 : 1;
    const double beta = problem.beta == Factor::run_time ? -1 : 0;
    reset_stand_in(memory_of(emulators.backends(ranks)));
    const RanksOutcome outcome =
        run_on_ranks(emulators, plan, data, alpha, beta, nccl_ends(ranks, milliseconds(100000)));
    CHECK(outcome.bytes == moved_bytes(plan));
    CHECK(outcome.d == run_on_one(emulators, problem, data, alpha, beta));
  }
}

TEST_CASE("every result of every call of NCCL's is an error on all ranks", "[transport][faults]") {
  const std::vector<std::string> at_start{"ncclGetUniqueId", "ncclCommInitRankConfig"};
  const std::vector<std::string> at_work{"ncclGroupStart", "ncclSend", "ncclRecv", "ncclGroupEnd",
                                         "ncclCommGetAsyncError"};
  int injected = 0;
  for (transport::NcclResult result = 1; result <= 6; ++result)
    for (int rank = 0; rank < 2; ++rank) {
      for (const std::string& call : at_start) {
        if (call == "ncclGetUniqueId" && rank != 0) continue;
        reset_stand_in(host_memory());
        stand_in().faults = {{call, rank, 0, result}};
        const Error error = refusal_of([&] { (void)nccl_ends(2, milliseconds(20000)); });
        CHECK(error.code == ErrorCode::communication_failed);
        CHECK(stand_in().live_comms == 0);
        stand_in().faults.clear();
        check_that_a_fresh_one_works(nccl_ends, 2);
        ++injected;
      }
      for (const std::string& call : at_work) {
        INFO(call << " of rank " << rank << " says " << result);
        reset_stand_in(host_memory());
        Ring ring(2);
        {
          const auto ends = nccl_ends(2, milliseconds(20000));
          // One round is right, the next is not.
          const auto errors = errors_of(ends, [&](Communicator& end) {
            ring.round(end, "first");
            (void)end.gather_texts("between", "");
            if (end.rank() == rank) {
              const std::lock_guard lock(stand_in().mutex);
              stand_in().faults = {{call, rank, stand_in().counts[{call, rank}], result}};
            }
            (void)end.gather_texts("armed", "");
            ring.round(end, "second");
            (void)end.gather_texts("end", "");
          });
          REQUIRE(errors[0].has_value());
          REQUIRE(errors[1].has_value());
          for (const auto& error : errors) CHECK(error->code == ErrorCode::communication_failed);
          CHECK(errors[static_cast<std::size_t>(rank)]->value.find(
                    call == "ncclCommGetAsyncError" ? "AsyncError" : call) != std::string::npos);
        }
        CHECK(stand_in().live_comms == 0);
        stand_in().faults.clear();
        check_that_a_fresh_one_works(nccl_ends, 2);
        ++injected;
      }
    }
  CHECK(injected >= 78);
}

TEST_CASE("who stalls, never comes or comes to another step is told of, by either transport",
          "[transport][faults]") {
  constexpr milliseconds kDeadline{80};
  enum class Way { never_comes, throws, other_step, other_size };
  for (const MakeEnds make : {MakeEnds{nccl_ends}, MakeEnds{ends_by_copies}})
    for (const Way way : {Way::never_comes, Way::throws, Way::other_step, Way::other_size})
      for (Index ranks = 2; ranks <= 4; ++ranks)
        for (Index faulty = 0; faulty < ranks; ++faulty) {
          // NCCL knows no steps, and sizes by its own check.
          if (way == Way::other_step && make == MakeEnds{nccl_ends}) continue;
          INFO("way " << static_cast<int>(way) << " of rank " << faulty << " of " << ranks);
          reset_stand_in(host_memory());
          Ring ring(ranks);
          const auto start = std::chrono::steady_clock::now();
          {
            const auto ends = make(ranks, kDeadline);
            const auto errors = errors_of(ends, [&](Communicator& end) {
              ring.round(end, "first");
              if (end.rank() == faulty && way == Way::never_comes) return;
              if (end.rank() == faulty && way == Way::throws)
                throw Exception({.code = ErrorCode::internal, .operand = "gone"});
              if (end.rank() == faulty && way == Way::other_size) {
                const auto at = static_cast<std::size_t>(2 * faulty);
                end.exchange({.step = "second",
                              .sends = {{(faulty + 1) % ranks, {ring.place(at), ring.place(at)}}},
                              .receives = {{(faulty + ranks - 1) % ranks, {ring.place(at + 1)}}}});
                end.finish();
              } else {
                ring.round(end,
                           end.rank() == faulty && way == Way::other_step ? "another" : "second");
              }
              (void)end.gather_texts("end", "");
            });
            for (Index rank = 0; rank < ranks; ++rank) {
              if (rank == faulty) continue;
              REQUIRE(errors[static_cast<std::size_t>(rank)].has_value());
              CHECK(errors[static_cast<std::size_t>(rank)]->code ==
                    ErrorCode::communication_failed);
            }
          }
          CHECK(std::chrono::steady_clock::now() - start < milliseconds(2000) + 4 * kDeadline);
          CHECK(stand_in().live_comms == 0);
          CHECK(stand_in().live_events == 0);
          check_that_a_fresh_one_works(make, ranks);
        }
}

TEST_CASE("a communication that failed says who waited where for whom and how long",
          "[transport][faults]") {
  reset_stand_in(host_memory());
  Ring ring(2);
  const auto ends = ends_by_copies(2, milliseconds(30));
  std::optional<CommunicationFault> fault;
  (void)errors_of(ends, [&](Communicator& end) {
    if (end.rank() == 1) return;
    try {
      ring.round(end, "bring A");
    } catch (const CommunicationFailed& failure) {
      fault = failure.fault();
      throw;
    }
  });
  REQUIRE(fault.has_value());
  CHECK(fault->rank == 0);
  CHECK(fault->peer == 1);
  CHECK(fault->step == "bring A");
  CHECK(fault->waited_s >= 0.03);
  CHECK(fault->waited_s < 2.03);
}

TEST_CASE("GPUs that cannot reach each other's memory are refused, and led to NCCL",
          "[transport][refusal]") {
  reset_stand_in(host_memory());
  stand_in().has_peer_access = false;
  const Error error = refusal_of([] { (void)ends_by_copies(2, milliseconds(100)); });
  CHECK(error.code == ErrorCode::unsupported);
  CHECK(error.nearest_legal == "nccl");
}

TEST_CASE("links between GPUs are measured, and those that there are not are named",
          "[transport][links]") {
  reset_stand_in(host_memory());
  stand_in().gpu_count = 3;
  const std::vector<PeerLink> links = transport::links_between(stand_in_driver());
  REQUIRE(links.size() == 6);
  CHECK(links.front().from == 0);
  CHECK(links.front().to == 1);
  for (const PeerLink& link : links) {
    CHECK(link.reaches);
    CHECK(link.gb_s > 0);
    CHECK(link.call_us > 0);
  }
  stand_in().has_peer_access = false;
  for (const PeerLink& link : transport::links_between(stand_in_driver()))
    CHECK_FALSE(link.reaches);
  stand_in().gpu_count = 1;
  CHECK(transport::links_between(stand_in_driver()).empty());
  CHECK(stand_in().live_allocs == 0);
  CHECK(stand_in().live_events == 0);
  CHECK(stand_in().live_streams == 0);
}

}  // namespace jute::test
