// Runs of distributed products on emulators or GPUs, and their report.
#include "mesh/mesh_run.hpp"

#include <jute/epilogue/expression.hpp>
#include <jute/ranks/distributed_gemm.hpp>
#include <jute/ranks/in_process.hpp>
#include <jute/transport/transport.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "product/product_run.hpp"

namespace jute::command {
namespace {

/// Emulators are slow, and a rank that fails is heard of at once.
constexpr std::chrono::hours kDeadline{24};

std::chrono::milliseconds deadline_of(const MeshOptions& mesh) {
  constexpr double kMostSeconds = 86400;
  if (!(mesh.timeout_s > 0 && mesh.timeout_s <= kMostSeconds))
    throw UsageError("--timeout", "it must be more than 0 seconds, and at most 86400");
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(mesh.timeout_s * 1000)));
}

/// A back end for each rank; GPUs each by its number.
std::vector<std::unique_ptr<Context>> contexts_of(Index ranks, const ProblemOptions& options,
                                                  BackendOptions device, const Session& session) {
  std::vector<std::unique_ptr<Context>> contexts;
  for (Index rank = 0; rank < ranks; ++rank) {
    contexts.push_back(std::make_unique<Context>(open_context(options, device, session)));
    if (contexts.back()->backend().name() != "emulator") ++device.ordinal;
  }
  return contexts;
}

/// One rank from the whole operands to its part of D.
class RankOfMesh {
 public:
  RankOfMesh(Communicator& end, Context& context, const DistributedPlan& plan)
      : end_(end),
        backend_(context.backend()),
        plan_(plan),
        gemm_(prepare(context, plan, rank())) {}

  [[nodiscard]] std::vector<std::byte> part_of_d(const GemmData& data, Scaling scale) {
    const Problem& problem = plan_.problem.problem;
    DistributedArgs args{.alpha = scale.alpha, .beta = scale.beta};
    args.a = bring("A", data.memory[TensorRole::a], problem.a.ld_elems);
    args.b = bring("B", data.memory[TensorRole::b], problem.b.ld_elems);
    if (std::ranges::any_of(plan_.buffers, [](const RankBuffer& it) { return it.name == "C"; }))
      args.c = bring("C", c_of(data), problem.c.ld_elems);
    if (problem.epilogue) bring_inputs(*problem.epilogue, data, args);
    std::vector<std::byte> part(
        static_cast<std::size_t>(plan_.buffers[buffer_of(plan_, "D")].bytes));
    args.d = kept(part);
    buffers_.emplace_back(backend_, gemm_.workspace_bytes());
    args.workspace = buffers_.back().pointer();
    gemm_.clear_workspace(args.workspace);
    require_same_plan(end_, plan_);
    gemm_.run(end_, args);
    end_.finish();
    backend_.synchronize();
    backend_.copy_out(part, args.d);
    return part;
  }

 private:
  /// Where beta is 0 none is given, and what is brought in its place is not read.
  static std::vector<std::byte> c_of(const GemmData& data) {
    if (!data.memory[TensorRole::c].empty()) return data.memory[TensorRole::c];
    return std::vector<std::byte>(
        static_cast<std::size_t>(operand_bytes(data.problem)[TensorRole::c]));
  }
  /// Behind the problem's own inputs stand scales of its operands.
  void bring_inputs(const Epilogue& epilogue, const GemmData& data, DistributedArgs& args) {
    const std::optional<Epilogue>& own = data.problem.epilogue;
    for (std::size_t i = 0; i < epilogue.inputs.size(); ++i) {
      const std::string& name = epilogue.expression.inputs[i].name;
      const int found = own ? find_input(own->expression, name) : -1;
      const auto place = static_cast<std::size_t>(found);
      args.inputs.emplace_back();
      if (epilogue.inputs[i].by_value) {
        args.inputs.back().value = data.input_values.at(place);
        continue;
      }
      const TensorRole role = found >= 0                    ? input_role(found)
                              : name.starts_with("scale_a") ? TensorRole::scale_a
                                                            : TensorRole::scale_b;
      args.inputs.back().base =
          bring("input " + name, data.memory[role], epilogue.inputs[i].ld_elems);
    }
  }
  [[nodiscard]] Index rank() const { return end_.rank(); }
  DevicePointer kept(const std::vector<std::byte>& bytes) {
    buffers_.emplace_back(backend_, static_cast<Index>(bytes.size()));
    backend_.copy_in(buffers_.back().pointer(), bytes);
    return buffers_.back().pointer();
  }
  DevicePointer bring(std::string_view name, const std::vector<std::byte>& whole, Index ld_elems) {
    return kept(part_of_whole(plan_, buffer_of(plan_, name), rank(), whole, ld_elems));
  }

  Communicator& end_;
  Backend& backend_;
  const DistributedPlan& plan_;
  DistributedGemm gemm_;
  std::vector<Buffer> buffers_{};
};

/// Unit roundoff of all sums: those of kernels, and each summand's once where the wire is narrower.
double roundoff_of(const DistributedPlan& plan) {
  const Problem& problem = plan.problem.problem;
  double most = 0;
  for (const DistributedStep& step : plan.steps)
    if (const auto* product = std::get_if<ProductStep>(&step.body))
      most = std::max(most, sum_roundoff(gemm_step(plan.kernels[product->kernel]), problem.k));
  const bool is_summed = std::ranges::any_of(plan.steps, [](const DistributedStep& step) {
    return std::holds_alternative<SumStep>(step.body);
  });
  if (!is_summed || !plan.problem.wire || is_integer(*plan.problem.wire)) return most;
  // The bound has (K+2) of these; a summand is rounded on its way, and where sums take turns again.
  const double wire = std::ldexp(1.0, -precision_bits(*plan.problem.wire));
  const bool adds_there = plan.problem.reduce == Reduction::nccl;
  const double roundings = adds_there ? static_cast<double>(rank_count(plan.problem.mesh)) + 1 : 2;
  return most + roundings * wire / static_cast<double>(problem.k + 2);
}

std::string ranks_text(Index ranks) {
  return ranks == 1 ? "1 rank" : std::to_string(ranks) + " ranks";
}

Index least_bytes(const DistributedPlan& plan) { return plan.considered.front().least_bytes; }

}  // namespace

MeshRanks::MeshRanks(const ProblemOptions& options, const MeshOptions& mesh,
                     const BackendOptions& device, const Session& session)
    : contexts_(contexts_of(rank_count(mesh_of(mesh)), options, device, session)),
      deadline_(deadline_of(mesh)) {
  const bool on_gpus = contexts_.front()->backend().name() != "emulator";
  transport_ = !mesh.transport.empty() ? mesh.transport : on_gpus ? "copies" : "host";
  if (!on_gpus && transport_ != "host")
    throw UsageError("--transport", "it must be host: emulators have no memory of GPUs");
  if (!on_gpus) deadline_ = kDeadline;
}

DeviceInfo MeshRanks::chip() const { return contexts_.front()->device_info(); }

std::vector<std::unique_ptr<Communicator>> MeshRanks::ends(int most_sms) const {
  const std::size_t ranks = contexts_.size();
  std::vector<int> ordinals(ranks);
  std::iota(ordinals.begin(), ordinals.end(), 0);
  const auto seats = [&] {
    return in_process_rendezvous(static_cast<Index>(ranks), {.deadline = deadline_});
  };
  if (transport_ == "nccl")
    return nccl_communicators(ordinals, seats(), {.deadline = deadline_, .most_sms = most_sms});
  if (transport_ == "copies") return copy_communicators(ordinals, seats(), {.deadline = deadline_});
  std::vector<Backend*> backends;
  for (const auto& context : contexts_) backends.push_back(&context->backend());
  return in_process_communicators(backends, {.deadline = deadline_});
}

MeshOutcome MeshRanks::run(const DistributedPlan& plan, const GemmData& data, Scaling scale) const {
  const Index ranks = rank_count(plan.problem.mesh);
  const auto ends = this->ends(plan.problem.transport_sms);
  std::vector<std::vector<std::byte>> parts(static_cast<std::size_t>(ranks));
  const auto start = std::chrono::steady_clock::now();
  run_ranks(ends, [&](Communicator& end) {
    const auto rank = static_cast<std::size_t>(end.rank());
    parts[rank] = RankOfMesh(end, *contexts_[rank], plan).part_of_d(data, scale);
  });
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  MeshOutcome outcome;
  outcome.plan = plan;
  outcome.backend = contexts_.front()->backend().name();
  outcome.transport = transport_;
  outcome.run_ms = time.count();
  outcome.d.resize(static_cast<std::size_t>(operand_bytes(data.problem)[TensorRole::d]));
  for (Index rank = 0; rank < ranks; ++rank)
    put_into_whole(plan, buffer_of(plan, "D"), rank, parts[static_cast<std::size_t>(rank)],
                   outcome.d, plan.problem.problem.d.ld_elems);
  return outcome;
}

void judge(MeshOutcome& outcome, const GemmData& data, Scaling scale) {
  outcome.judgement = judged(data, outcome.d, scale, roundoff_of(outcome.plan));
}

std::string to_string(const MeshOutcome& outcome) {
  const DistributedPlan& plan = outcome.plan;
  std::string text = "device   " + ranks_text(rank_count(plan.problem.mesh)) + ", each " +
                     outcome.backend + " (" + plan.device.name + ", " +
                     jute::to_string(plan.device.arch) + "), by " + outcome.transport + "\n";
  text += "problem  " + short_text(plan.problem) + "\n";
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    Index bytes = 0;
    for (const Index each : bytes_by_pair(plan, i)) bytes += each;
    text += "step     " + plan.steps[i].name;
    if (bytes > 0) text += ", " + std::to_string(bytes) + " bytes from rank to rank";
    text += "\n";
  }
  text += "moved    " + std::to_string(moved_bytes(plan)) + " bytes of at least " +
          std::to_string(least_bytes(plan)) + "\n";
  if (outcome.judgement) text += judgement_text(*outcome.judgement, plan.problem.problem);
  if (!outcome.output.empty()) text += "output   " + outcome.output + "\n";
  return text;
}

Json to_json(const MeshOutcome& outcome) {
  const DistributedPlan& plan = outcome.plan;
  return {{"device",
           {{"backend", outcome.backend},
            {"name", plan.device.name},
            {"arch", jute::to_string(plan.device.arch)}}},
          {"problem", jute::to_string(plan.problem)},
          {"ranks", rank_count(plan.problem.mesh)},
          {"transport", outcome.transport},
          {"steps", Json::array(plan.steps, &DistributedStep::name)},
          {"moved_bytes", moved_bytes(plan)},
          {"least_bytes", least_bytes(plan)},
          {"run_ms", outcome.run_ms},
          {"check", outcome.judgement ? judged_json(*outcome.judgement) : Json()},
          {"output", outcome.output.empty() ? Json() : Json(outcome.output)}};
}

}  // namespace jute::command
