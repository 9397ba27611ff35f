// Distributed plans: known bytes, the bound beside them, and what they say.
#include <jute/dist/distributed_plan.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>

#include "dist/distributed_cases.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

const DeviceInfo& h200() { return device_preset("h200"); }

DistributedPlan planned(const std::string& text) {
  return make_plan(parse_distributed_problem(text), h200());
}

/// Elements that ranks need of a matrix and do not hold, by a plain loop over both.
Index lacking(const Mesh& mesh, const Distribution& held, const Distribution& needed) {
  Index count = 0;
  for (Index rank = 0; rank < rank_count(mesh); ++rank) {
    std::set<std::pair<Index, Index>> has;
    for (const Index row : part_of(mesh, held.dims[0], rank))
      for (const Index column : part_of(mesh, held.dims[1], rank)) has.emplace(row, column);
    for (const Index row : part_of(mesh, needed.dims[0], rank))
      for (const Index column : part_of(mesh, needed.dims[1], rank))
        count += has.contains({row, column}) ? 0 : 1;
  }
  return count;
}

}  // namespace

TEST_CASE("named distributions move the bytes that are known of them", "[dist][plan][known]") {
  std::map<std::string, Index> moved;
  for (const NamedCase& it : named_cases()) {
    INFO(it.name);
    const DistributedPlan plan = planned(it.text);
    moved[it.name] = moved_bytes(plan);
    CHECK(moved_bytes(plan) == it.moved_bytes);
    CHECK(plan.considered.front().least_bytes == it.moved_bytes);
  }
  CHECK(3 * moved["summa_2x2"] == 2 * moved["one_dimension"]);
}

TEST_CASE("plans of 16384 cubed on 2 x 2 move two thirds of one dimension's bytes",
          "[dist][plan][known]") {
  const std::string cube = "M=16384 N=16384 K=16384 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 ";
  const DistributedPlan two =
      planned(cube + "mesh=row=2,col=2 place=A=M@row,K@col,B=N@col,K@row,D=M@row,N@col");
  const DistributedPlan one = planned(cube + "mesh=tp=4 place=A=M@tp,B=N@tp,D=N@tp");
  CHECK(to_string(*two.problem.share) == "M@row,N@col");
  CHECK(to_string(*one.problem.share) == "N@tp");
  CHECK(3 * moved_bytes(two) == 2 * moved_bytes(one));
}

TEST_CASE("distributed plans read as they were reviewed", "[dist][plan][golden]") {
  CHECK(named_cases().size() == 13);
  for (const NamedCase& it : named_cases()) {
    const std::string path =
        std::string(JUTE_SOURCE_DIR "/tests/golden/distributed/") + it.name + ".txt";
    const std::string now = to_string(planned(it.text));
    if (std::getenv("JUTE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << now;
    std::ifstream in(path);
    const std::string kept{std::istreambuf_iterator<char>(in), {}};
    INFO(it.name
         << ": JUTE_UPDATE_GOLDEN=1 test_dist '[golden]' && git diff tests/golden/distributed");
    CHECK(now == kept);
  }
}

TEST_CASE("texts of distributed problems read back", "[dist][text]") {
  for (const NamedCase& it : named_cases()) {
    const DistributedProblem problem = completed(parse_distributed_problem(it.text));
    CHECK(completed(parse_distributed_problem(to_string(problem))) == problem);
  }
  std::mt19937 random(11);
  for (int i = 0; i < 200; ++i) {
    const std::string text = to_string(completed(random_distributed(random)));
    CHECK(to_string(completed(parse_distributed_problem(text))) == text);
  }
  const auto refused = [](const char* text) {
    return refusal_of([&] { (void)parse_distributed_problem(text); });
  };
  CHECK(refused("M=1 N=1 K=1").operand == "mesh");
  CHECK(refused("M=1 N=1 K=1 mesh=tp=0").position->column == 21);
  CHECK(refused("M=1 N=1 K=1 mesh=tp=2 mesh=tp=2").code == ErrorCode::syntax);
  CHECK(refused("M=1 N=1 K=1 mesh=tp=2 place=A=Q@tp").position->column == 31);
  CHECK(refused("M=1 N=1 K=1 mesh=tp=2 size=3").code == ErrorCode::unknown_name);
}

TEST_CASE("behind an epilogue a word of ranks is first what it names", "[dist][text]") {
  const DistributedProblem problem = completed(parse_distributed_problem(
      "M=8 N=8 K=8 A=f16 mesh=tp=2 share=M@tp epilogue=\"acc + share[n] + wire[n]\" share=f32 "
      "wire=bf16 wire=f16"));
  REQUIRE(problem.share);
  CHECK(problem.wire == DType::f16);
  CHECK(problem.problem.epilogue->inputs[0].type == DType::f32);
  CHECK(problem.problem.epilogue->inputs[1].type == DType::bf16);
  for (const std::string& text : {to_string(problem), short_text(problem)})
    CHECK(completed(parse_distributed_problem(text)) == problem);
}

TEST_CASE("what cannot be distributed is refused by its rule", "[dist][refusal]") {
  const auto refused = [](const std::string& text) {
    return refusal_of([&] { (void)planned(text); });
  };
  const std::string tp = " mesh=tp=2 place=A=M@tp";
  CHECK(refused("M=8 N=8 K=8 batch=2" + tp).code == ErrorCode::illegal_problem);
  CHECK(refused("M=8 N=8 K=8 A=s4 B=s4" + tp).code == ErrorCode::illegal_problem);
  CHECK(refused("M=8 N=8 K=8 epilogue=\"d = acc; e = acc\"" + tp).code ==
        ErrorCode::illegal_problem);
  CHECK(refused("M=8 N=8 K=8 beta=0 mesh=tp=2 place=D=+tp share=M@tp").operand == "share");
  CHECK(refused("M=8 N=8 K=8 mesh=tp=2 place=D=+tp share=K@tp").operand == "D");
  CHECK(refused("M=8 N=8 K=8 beta=0 epilogue=\"acc + bias[n]\" mesh=tp=2 place=D=+tp share=K@tp")
            .operand == "D");
  CHECK(refused("M=8 N=8 K=8 beta=0 mesh=tp=2 place=A=+tp").operand == "A");
  CHECK(refused("M=8 N=8 K=8 mesh=tp=2 place=A=M@dp").nearest_legal == "tp");
  const Error memory =
      refused("M=400000 N=400000 K=64 A=bf16 B=bf16 D=bf16 beta=0 mesh=tp=2 place=D=all share=all");
  CHECK(memory.violated_rules.front().find("must fit its memory") != std::string::npos);
}

TEST_CASE("no plan moves fewer bytes than its bound, which a plain loop finds too",
          "[dist][plan][law]") {
  std::mt19937 random(12);
  int tight = 0, all = 0;
  for (int i = 0; i < 150; ++i) {
    const DistributedProblem problem = random_distributed(random);
    INFO(problem);
    const DistributedPlan plan = make_plan(problem, h200());
    REQUIRE(broken_rules(plan).empty());
    const Mesh& mesh = problem.mesh;
    const Problem& of = plan.problem.problem;
    const auto along = [&](Dimension dimension, Index extent) {
      return spread(mesh, extent, dimension, plan.problem.share->deals);
    };
    const Spread m = along(Dimension::m, of.m), n = along(Dimension::n, of.n),
                 k = along(Dimension::k, of.k);
    const Index width = width_bytes(of.a.type);
    Index least = width * (lacking(mesh, plan.buffers[0].held, {{m, k}, {}}) +
                           lacking(mesh, plan.buffers[1].held, {{n, k}, {}}));
    bool is_summed = false;
    for (const Deal& deal : plan.problem.share->deals)
      is_summed = is_summed || deal.dimension == Dimension::k;
    if (!is_summed) {
      const std::size_t d = of.beta == Factor::zero ? 2 : 3;
      REQUIRE(plan.buffers[d].name == "D");
      least += width * lacking(mesh, {{m, n}, {}}, plan.buffers[d].held);
      if (d == 3) least += width * lacking(mesh, plan.buffers[2].held, {{m, n}, {}});
      CHECK(plan.considered.front().least_bytes == least);
    }
    CHECK(plan.considered.front().least_bytes >= least);
    for (const ConsideredShare& it : plan.considered) {
      CHECK(it.bytes >= it.least_bytes);
      tight += it.bytes == it.least_bytes ? 1 : 0;
      ++all;
    }
  }
  CHECK(4 * tight > 3 * all);
}

TEST_CASE("a plan's bytes by pair are those of its parcels", "[dist][plan][law]") {
  const DistributedPlan plan = planned(named_cases().front().text);
  const std::vector<Index> pairs = bytes_by_pair(plan, 0);
  const Index part = 1024 * 512 * 2 / 4;
  for (std::size_t i = 0; i < pairs.size(); ++i) CHECK(pairs[i] == (i % 5 == 0 ? 0 : part));
  CHECK(std::accumulate(pairs.begin(), pairs.end(), Index{0}) == moved_bytes(plan));
}

TEST_CASE("what a plan expects is said to be a prediction where as many ranks were not measured",
          "[dist][plan]") {
  const auto basis = [](const std::string& mesh, const char* chip) {
    const Fields all = fields(make_plan(
        parse_distributed_problem("M=256 N=256 K=256 place=A=M@tp,B=N@tp,D=N@tp mesh=" + mesh),
        device_preset(chip)));
    for (const Field& field : all)
      if (field.name == "basis") return to_string(Fields{field});
    return std::string();
  };
  CHECK(basis("tp=2", "h200").find("as 2 ranks measured it") != std::string::npos);
  for (const std::string ranks : {"4", "8"})
    CHECK(basis("tp=" + ranks, "h200").find("a prediction for " + ranks + " ranks") !=
          std::string::npos);
  CHECK(basis("tp=2", "a100").find("an estimate of the link") != std::string::npos);
}

TEST_CASE("products hold sizes that are every rank's, and no others", "[dist][plan]") {
  const auto words_of = [](const std::string& shape, const std::string& rest) {
    const DistributedPlan plan = make_plan(
        parse_distributed_problem(shape + " A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 " + rest),
        device_preset("h200"));
    return to_string(plan.kernels.front());
  };
  const std::string gather = "mesh=tp=4 place=A=M@tp,B=N@tp,D=N@tp share=N@tp overlap=none";
  CHECK(words_of("M=64 N=512 K=256", gather).find("(literal n)") != std::string::npos);
  CHECK(words_of("M=64 N=514 K=256", gather).find("(literal n)") == std::string::npos);
  // Empty parts launch nothing; slices of other lengths do.
  const std::string sum = "mesh=tp=4 place=A=K@tp,B=K@tp,D=N@tp share=K@tp overlap=chunks";
  CHECK(words_of("M=64 N=512 K=256", sum).find("(literal n)") != std::string::npos);
  CHECK(words_of("M=64 N=520 K=250", sum).find("(literal k)") == std::string::npos);
}

}  // namespace jute::test
