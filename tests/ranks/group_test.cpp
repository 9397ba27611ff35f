// Some ranks as a communicator of their own: products of several groups at once, and what goes
// wrong.
#include <jute/launch/device_presets.hpp>
#include <jute/ranks/group.hpp>

#include <algorithm>
#include <chrono>
#include <span>
#include <stdexcept>
#include <tuple>

#include "dist/distributed_cases.hpp"
#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

using std::chrono::milliseconds;

const RanksOfEmulators& grouped_emulators() {
  static const RanksOfEmulators kRanks(4);
  return kRanks;
}

}  // namespace

TEST_CASE("groups are ordered by keys, then by ranks", "[ranks][groups]") {
  const auto ends = in_process_communicators(grouped_emulators().backends(4));
  std::vector<std::vector<std::string>> texts(4);
  std::vector<Index> ranks(4);
  run_ranks(ends, [&](Communicator& end) {
    const auto at = static_cast<std::size_t>(end.rank());
    // Ranks 0, 1 and 3 by falling keys, but for two of one key; rank 2 is alone.
    const auto group = split(end, end.rank() == 2 ? 7 : 0, end.rank() == 3 ? -1 : 0);
    ranks[at] = group->rank();
    // Groups may be at different steps.
    texts[at] = group->gather_texts(end.rank() == 2 ? "alone" : "together",
                                    "rank " + std::to_string(end.rank()) + "\n");
  });
  CHECK(ranks == std::vector<Index>{1, 2, 0, 0});
  CHECK(texts[0] == std::vector<std::string>{"rank 3\n", "rank 0\n", "rank 1\n"});
  CHECK(texts[1] == texts[0]);
  CHECK(texts[3] == texts[0]);
  CHECK(texts[2] == std::vector<std::string>{"rank 2\n"});
}

TEST_CASE("each group's product has the bits of one rank, by exchanges and in place",
          "[ranks][groups][law]") {
  const RanksOfEmulators& emulators = grouped_emulators();
  std::mt19937 random(91);
  for (const std::string overlap : {"none", "chunks", "one-shot", "store"}) {
    const DistributedPlan plan =
        make_plan(parse_distributed_problem(
                      "M=24 N=128 K=64 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 mesh=tp=2 "
                      "place=A=K@tp,B=K@tp,D=M@tp share=K@tp overlap=" +
                      overlap),
                  device_preset("h200"));
    const Problem& problem = plan.problem.problem;
    // Ranks 0 and 2, ranks 3 and 1, each with numbers of its own.
    const std::vector<WholeData> data{whole_data(problem, random, Numbers::integers),
                                      whole_data(problem, random, Numbers::integers)};
    std::vector<std::vector<std::byte>> parts(4);
    const auto ends = in_process_communicators(emulators.backends(4));
    run_ranks(ends, [&](Communicator& end) {
      const Index color = end.rank() % 2;
      const auto group = split(end, color, color == 1 ? -end.rank() : 0);
      Context& context = emulators.context(end.rank());
      Backend& backend = context.backend();
      const DistributedGemm gemm = prepare(context, plan, group->rank());
      require_same_plan(*group, plan);
      std::vector<Buffer> buffers;
      const auto bring = [&](std::string_view name, std::span<const std::byte> whole, Index ld) {
        const auto part = part_of_whole(plan, buffer_of(plan, name), group->rank(), whole, ld);
        buffers.emplace_back(backend, static_cast<Index>(part.size()));
        backend.copy_in(buffers.back().pointer(), part);
        return buffers.back().pointer();
      };
      const WholeData& own = data[static_cast<std::size_t>(color)];
      DistributedArgs args;
      args.a = bring("A", own.a, problem.a.ld_elems);
      args.b = bring("B", own.b, problem.b.ld_elems);
      std::vector<std::byte>& part = parts[static_cast<std::size_t>(end.rank())];
      part.resize(static_cast<std::size_t>(plan.buffers[buffer_of(plan, "D")].bytes));
      buffers.emplace_back(backend, static_cast<Index>(part.size()));
      args.d = buffers.back().pointer();
      buffers.emplace_back(backend, gemm.workspace_bytes());
      args.workspace = buffers.back().pointer();
      gemm.clear_workspace(args.workspace);
      for (int run = 0; run < 3; ++run) gemm.run(*group, args);
      group->finish(args.stream);
      backend.copy_out(part, args.d);
      (void)group->gather_texts("done", "");
    });
    for (const Index color : {0, 1}) {
      INFO(overlap << ", group " << color);
      const WholeData& own = data[static_cast<std::size_t>(color)];
      std::vector<std::byte> whole(static_cast<std::size_t>(operand_bytes(problem)[TensorRole::d]));
      const std::vector<Index> members =
          color == 0 ? std::vector<Index>{0, 2} : std::vector<Index>{3, 1};
      for (const Index rank : {0, 1})
        put_into_whole(plan, buffer_of(plan, "D"), rank,
                       parts[static_cast<std::size_t>(members[static_cast<std::size_t>(rank)])],
                       whole, problem.d.ld_elems);
      CHECK(whole == run_on_one(emulators, problem, own, 1, 0));
    }
  }
}

TEST_CASE("a transport adds among the ranks of a group, in its order",
          "[ranks][groups][collective]") {
  const RanksOfEmulators& emulators = grouped_emulators();
  const DistributedPlan plan = make_plan(
      parse_distributed_problem("M=24 N=64 K=40 A=bf16 B=bf16:col D=f32 alpha=1 beta=0 mesh=tp=2 "
                                "place=A=K@tp,B=K@tp,D=M@tp share=K@tp reduce=nccl"),
      device_preset("h200"));
  const auto ends = in_process_communicators(emulators.backends(4));
  std::vector<std::vector<float>> parts(4), wholes(4);
  run_ranks(ends, [&](Communicator& end) {
    Backend& backend = emulators.context(end.rank()).backend();
    // Ranks 2 and 0, ranks 1 and 3.
    const auto group = split(end, end.rank() % 2, end.rank() == 2 ? -1 : 0);
    const auto own = static_cast<float>(end.rank());
    const std::vector<float> summand{own, 10 * own, 1, own};
    const Buffer from(backend, 64), to(backend, 64);
    backend.copy_in(from.pointer(), std::as_bytes(std::span(summand)));
    for (const auto& [kind, elements, results] :
         {std::tuple(CollectiveKind::reduce_scatter, Index{2}, &parts),
          std::tuple(CollectiveKind::all_reduce, Index{4}, &wholes)}) {
      group->reduce({"sum", kind, DType::f32, elements, from.pointer(), to.pointer()});
      std::vector<float>& result = (*results)[static_cast<std::size_t>(end.rank())];
      result.resize(static_cast<std::size_t>(elements));
      backend.copy_out(std::as_writable_bytes(std::span(result)), to.pointer());
    }
    const DistributedGemm gemm = prepare(emulators.context(end.rank()), plan, group->rank());
    const RankMemory memory = zeros_for(emulators.context(end.rank()), plan, gemm);
    gemm.run(*group, memory.args);
    group->finish(memory.args.stream);
    (void)group->gather_texts("done", "");
  });
  CHECK(parts == std::vector<std::vector<float>>{{2, 2}, {4, 40}, {2, 20}, {2, 4}});
  for (const std::size_t rank : {0U, 2U}) CHECK(wholes[rank] == std::vector<float>{2, 20, 2, 2});
  for (const std::size_t rank : {1U, 3U}) CHECK(wholes[rank] == std::vector<float>{4, 40, 2, 4});
}

TEST_CASE("what fails in a group fails in all, and says where", "[ranks][groups][faults]") {
  const auto ends =
      in_process_communicators(grouped_emulators().backends(4), {.deadline = milliseconds(400)});
  const auto errors = errors_of(ends, [&](Communicator& end) {
    const auto group = split(end, end.rank() / 2);
    (void)group->gather_texts(end.rank() == 3 ? "another" : "step", "");
    (void)group->gather_texts("after", "");
  });
  for (const auto& error : errors) {
    REQUIRE(error.has_value());
    CHECK(error->code == ErrorCode::communication_failed);
  }
  // Whichever of the two came first says it to all.
  const std::string said = to_string(*errors[2]) + to_string(*errors[3]);
  CHECK(said.find("rank 1") != std::string::npos);
  CHECK(said.find("at step another") != std::string::npos);
  const auto fresh = in_process_communicators(grouped_emulators().backends(2));
  CHECK(refusal_of([&] { (void)split(*fresh[0], -1); }).code == ErrorCode::out_of_range);
}

TEST_CASE("an all-gather brings each rank's bytes to all, in groups too", "[ranks][groups]") {
  const RanksOfEmulators& emulators = grouped_emulators();
  for (const Index bytes : {0, 1, 48}) {
    const auto ends = in_process_communicators(emulators.backends(4));
    run_ranks(ends, [&](Communicator& end) {
      Backend& backend = emulators.context(end.rank()).backend();
      const auto group = split(end, end.rank() == 0 ? 1 : 0);
      for (Communicator* among : {&end, group.get()}) {
        const Buffer from(backend, 64), to(backend, 256);
        backend.fill(from.pointer(), static_cast<std::uint8_t>(end.rank() + 1), 64);
        backend.fill(to.pointer(), 0, 256);
        all_gather(*among, "gather", from.pointer(), to.pointer(), bytes);
        among->finish({});
        std::vector<std::byte> all(256), wanted(256);
        backend.copy_out(all, to.pointer());
        const Index first = among == &end || end.rank() == 0 ? 0 : 1;
        for (Index peer = 0; peer < among->size(); ++peer)
          std::fill_n(wanted.begin() + peer * bytes, bytes,
                      static_cast<std::byte>(first + peer + 1));
        if (all != wanted) throw std::runtime_error("other bytes");
      }
    });
  }
}

}  // namespace jute::test
