// From --mesh, --place and --share to a distributed problem.
#include "options/mesh_options.hpp"

#include "options/read_flag.hpp"

namespace jute::command {
namespace {

/// The flags that say that there are several ranks.
Words several() { return {"--mesh", "--ranks"}; }

}  // namespace

void add_mesh_flags(Command& command, MeshOptions& options) {
  const OptionGroup group{command, "Several ranks"};
  group.option("--mesh AXES", &options.mesh, "Axes of ranks, the first fastest: row=2,col=2");
  group.option("--ranks", &options.ranks, "How many; without --mesh they are an axis: tp=RANKS")
      .between(1, static_cast<int>(kMostRanks));
  group
      .option(
          "--place PLACEMENTS", &options.place,
          "Where matrices lie: A=M@tp,B=N@tp,D=N@tp; blocks dealt round K@tp/128; summands D=+tp")
      .with(several());
  group.option("--share DEALS", &options.share, "Who computes what: M@row,N@col; else the fastest")
      .with(several());
  group.option("--wire TYPE", &options.wire, "Type in which summands of D travel; else the sum's")
      .with(several());
  group
      .option("--reduce", &options.reduce,
              "Who adds summands of D: kernels in the order of ranks, or the transport (nccl), by "
              "emulators the host")
      .one_of({"ordered", "nccl"})
      .with(several());
  group
      .option(
          "--overlap", &options.overlap,
          "Exchanges beside products: cut by rounds (chunks), summands read in place (one-shot), "
          "one product that waits for rows as they come (arrival), products that store where their "
          "summands are added (store), none, or by the timeline; else that, and none by NCCL")
      .one_of({"none", "chunks", "one-shot", "arrival", "store", "fastest"})
      .with(several());
  group
      .option("--transport-sms INT", &options.transport_sms,
              "Multiprocessors that products leave to the transport's kernels beside them, and "
              "NCCL takes at most; else 16 by NCCL, where it runs beside products")
      .with(several());
}

void add_rank_flags(Command& command, MeshOptions& options) {
  const OptionGroup group{command, "Several ranks"};
  group
      .option("--transport", &options.transport,
              "What carries bytes: host memory, GPUs' copy engines, NCCL; else copies on GPUs")
      .one_of({"host", "copies", "nccl"})
      .with(several());
  group
      .option("--timeout SECONDS", &options.timeout_s,
              "Seconds that a rank waits for another; the emulator has no limit")
      .with_default()
      .with(several());
}

Words said_of_ranks(const std::string& text) {
  if (!text.starts_with("mesh=") && text.find(" mesh=") == std::string::npos) return {};
  return {"--mesh", "--ranks",   "--place",  "--share",
          "--wire", "--overlap", "--reduce", "--transport-sms"};
}

void take_mesh_of_text(ProblemOptions& problem, MeshOptions& mesh) {
  if (said_of_ranks(problem.text).empty()) return;
  const DistributedProblem whole = read_flag("--problem", problem.text, parse_distributed_problem);
  problem.text = to_string(whole.problem);
  mesh.mesh = to_string(whole.mesh);
  mesh.place = to_string(whole.placements);
  if (whole.share) mesh.share = to_string(*whole.share);
  if (whole.wire) mesh.wire = name(*whole.wire);
  if (whole.overlap != OverlapChoice::fastest) mesh.overlap = name(whole.overlap);
  if (whole.reduce != Reduction::ordered) mesh.reduce = name(whole.reduce);
  if (whole.transport_sms > 0) mesh.transport_sms = whole.transport_sms;
}

bool is_distributed(const MeshOptions& options) {
  return !options.mesh.empty() || options.ranks > 0;
}

Mesh mesh_of(const MeshOptions& options) {
  if (options.mesh.empty()) return {.axes = {{"tp", options.ranks}}};
  Mesh mesh = read_flag("--mesh", options.mesh, parse_mesh);
  if (options.ranks > 0 && rank_count(mesh) != options.ranks)
    throw UsageError("--ranks", "it must be the " + std::to_string(rank_count(mesh)) +
                                    " ranks of --mesh, or be left out");
  return mesh;
}

DistributedProblem distributed_problem_of(const Problem& problem, const MeshOptions& options) {
  DistributedProblem result{.problem = problem};
  result.mesh = mesh_of(options);
  if (!options.place.empty())
    result.placements = read_flag("--place", options.place, parse_placements);
  if (!options.share.empty()) result.share = read_flag("--share", options.share, parse_share);
  if (!options.wire.empty()) result.wire = read_flag("--wire", options.wire, parse_dtype);
  if (!options.reduce.empty())
    result.reduce = read_flag("--reduce", options.reduce, parse_reduction);
  // Rounds by NCCL were never faster than one step after the other.
  if (options.transport == "nccl") result.overlap = OverlapChoice::none;
  if (!options.overlap.empty())
    result.overlap = read_flag("--overlap", options.overlap, parse_overlap);
  constexpr int kSmsOfNccl = 16;
  const bool is_beside = options.transport == "nccl" && result.overlap != OverlapChoice::none;
  result.transport_sms = options.transport_sms >= 0 ? options.transport_sms
                         : is_beside                ? kSmsOfNccl
                                                    : 0;
  return result;
}

DistributedPlan distributed_plan(const Problem& problem, const ProblemOptions& options,
                                 const MeshOptions& mesh, const Session& session,
                                 const DeviceInfo& chip) {
  const Catalogue catalogue = session.catalogue();
  return make_plan(distributed_problem_of(problem, mesh), chip,
                   config_for(options, problem, chip, catalogue), catalogue);
}

DistributedPlan distributed_plan(const ProblemOptions& options, const MeshOptions& mesh,
                                 const Session& session) {
  return distributed_plan(problem_of(options), options, mesh, session,
                          chip_of(options, session.settings()));
}

}  // namespace jute::command
