// Ranks that fail, stall, never come or do something else: all ranks hear of it, and go on after.
#include <jute/launch/device_presets.hpp>

#include <chrono>
#include <thread>

#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

using std::chrono::milliseconds;

const RanksOfEmulators& few_emulators() {
  static const RanksOfEmulators kRanks(4);
  return kRanks;
}

/// Each sends one byte to the next and gets one of the one before.
void send_round(Communicator& end, Backend& backend, const std::string& step, Index bytes = 1) {
  const Buffer from(backend, 64), to(backend, 64);
  backend.fill(from.pointer(), 7, 64);
  const Index size = end.size(), rank = end.rank();
  end.exchange({.step = step,
                .sends = {{(rank + 1) % size, {{from.pointer(), 1, bytes, bytes}}}},
                .receives = {{(rank + size - 1) % size, {{to.pointer(), 1, 1, 1}}}}});
}

enum class Fault { none, stalls, never_comes, throws, other_step, other_size, wrong_peer };

struct FaultRow {
  Fault fault;
  std::string what;  ///< a part of what is said
};

}  // namespace

TEST_CASE(
    "each fault ends in an error on every rank within the deadline, and the next run is right",
    "[ranks][faults]") {
  constexpr milliseconds kDeadline{60};
  const std::vector<FaultRow> rows{{Fault::stalls, "waited"},
                                   {Fault::never_comes, "waited"},
                                   {Fault::throws, "gone"},
                                   {Fault::other_step, "is at step"},
                                   {Fault::other_size, "expects 1 bytes"},
                                   {Fault::wrong_peer, "waited"}};
  int injected = 0;
  for (Index size = 2; size <= 4; ++size)
    for (Index faulty = 0; faulty < size; ++faulty)
      for (const FaultRow& row : rows)
        for (int at_step = 0; at_step < 3; ++at_step) {
          if (row.fault == Fault::wrong_peer && size == 2) continue;
          const std::vector<Backend*> backends = few_emulators().backends(size);
          const auto ends = in_process_communicators(backends, {.deadline = kDeadline});
          const auto start = std::chrono::steady_clock::now();
          const auto work = [&](Communicator& end) {
            Backend& backend = *backends[static_cast<std::size_t>(end.rank())];
            for (int step = 0; step < 3; ++step) {
              const std::string name = "step " + std::to_string(step);
              if (end.rank() != faulty || step != at_step) {
                send_round(end, backend, name);
                continue;
              }
              switch (row.fault) {
                case Fault::stalls:
                  std::this_thread::sleep_for(4 * kDeadline);
                  break;
                case Fault::never_comes:
                  return;
                case Fault::throws:
                  throw Exception({.code = ErrorCode::internal, .operand = "gone"});
                case Fault::other_step:
                  send_round(end, backend, "another step");
                  continue;
                case Fault::other_size:
                  send_round(end, backend, name, 2);
                  continue;
                case Fault::wrong_peer: {
                  const Buffer from(backend, 64);
                  end.exchange({.step = name,
                                .sends = {{(faulty + 2) % size, {{from.pointer(), 1, 1, 1}}}},
                                .receives = {}});
                  continue;
                }
                case Fault::none:
                  break;
              }
              send_round(end, backend, name);
            }
            // Nobody is done before all are: a fault may be several neighbours away.
            (void)end.gather_texts("end", "");
          };
          const auto errors = errors_of(ends, work);
          const double seconds =
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
          ++injected;
          INFO("fault " << static_cast<int>(row.fault) << " of rank " << faulty << " of " << size
                        << " at step " << at_step);
          CHECK(seconds < 2 + 4e-3 * static_cast<double>(kDeadline.count()));
          bool is_told = false;
          for (Index rank = 0; rank < size; ++rank) {
            const auto& error = errors[static_cast<std::size_t>(rank)];
            if (rank != faulty) REQUIRE(error.has_value());
            if (!error) continue;
            if (rank != faulty) CHECK(error->code == ErrorCode::communication_failed);
            is_told = is_told || to_string(*error).find(row.what) != std::string::npos;
          }
          CHECK(is_told);
          // A new communicator over the same back ends works.
          const auto fresh = in_process_communicators(backends, {.deadline = milliseconds(5000)});
          run_ranks(fresh, [&](Communicator& end) {
            send_round(end, *backends[static_cast<std::size_t>(end.rank())], "again");
          });
        }
  // More than a hundred of NCCL: tests/transport.
  CHECK(injected == 156);
}

TEST_CASE("ranks whose plans differ are told so", "[ranks][faults]") {
  const std::string text = "M=8 N=8 K=8 A=f32 B=f32 D=f32 alpha=1 beta=0 mesh=tp=3 place=A=M@tp";
  const DistributedPlan plan = make_plan(parse_distributed_problem(text), device_preset("h200"));
  const DistributedPlan other =
      make_plan(parse_distributed_problem(text + ",D=M@tp"), device_preset("h200"));
  const std::vector<Backend*> backends = few_emulators().backends(3);
  const auto ends = in_process_communicators(backends, {.deadline = milliseconds(2000)});
  const auto errors = errors_of(
      ends, [&](Communicator& end) { require_same_plan(end, end.rank() == 2 ? other : plan); });
  for (const auto& error : errors) {
    REQUIRE(error.has_value());
    CHECK(error->code == ErrorCode::communication_failed);
  }
  CHECK(errors[0]->operand == "plan");
  CHECK(errors[0]->value.find("of rank 2") != std::string::npos);
}

TEST_CASE("ranks whose chips differ are told so by the chip's name", "[ranks][faults]") {
  const DistributedProblem problem = parse_distributed_problem(
      "M=8 N=8 K=8 A=f32 B=f32 D=f32 alpha=1 beta=0 mesh=tp=2 place=A=M@tp");
  const DistributedPlan plan = make_plan(problem, device_preset("h200")),
                        other = make_plan(problem, device_preset("h100"));
  const auto ends =
      in_process_communicators(few_emulators().backends(2), {.deadline = milliseconds(2000)});
  const auto errors = errors_of(
      ends, [&](Communicator& end) { require_same_plan(end, end.rank() == 1 ? other : plan); });
  REQUIRE(errors[0].has_value());
  CHECK(errors[0]->operand == "device");
  for (const char* part : {"of rank 0 h200", "of rank 1 h100"})
    CHECK(errors[0]->value.find(part) != std::string::npos);
}

TEST_CASE("what a rank throws is what the caller of all ranks gets", "[ranks][faults]") {
  const std::vector<Backend*> backends = few_emulators().backends(3);
  const auto ends = in_process_communicators(backends, {.deadline = milliseconds(5000)});
  const Error error = refusal_of([&] {
    run_ranks(ends, [&](Communicator& end) {
      if (end.rank() == 1) throw Exception({.code = ErrorCode::out_of_memory, .operand = "D"});
      send_round(end, *backends[static_cast<std::size_t>(end.rank())], "step");
    });
  });
  CHECK(error.code == ErrorCode::out_of_memory);
  CHECK(refusal_of([&] { ends[0]->poll(); }).code == ErrorCode::communication_failed);
}

}  // namespace jute::test
