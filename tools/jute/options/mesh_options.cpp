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
  group.option("--ranks", &options.ranks, "How many; without --mesh they are an axis: tp=RANKS")
      .between(1, static_cast<int>(kMostRanks));
  add_word_flags(command, options.said, WordGroup::ranks);
  for (const Keyword& word : words_of_ranks())
    if (word.name != "mesh") command.find(word.flag)->with(several());
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
  Words flags;
  for (const Keyword& word : words_of_ranks()) flags.emplace_back(word.flag);
  flags.emplace_back("--ranks");
  return flags;
}

void take_mesh_of_text(ProblemOptions& problem, MeshOptions& mesh) {
  if (said_of_ranks(problem.text).empty()) return;
  const DistributedProblem whole = read_flag("--problem", problem.text, parse_distributed_problem);
  problem.text = to_string(whole.problem);
  for (const Keyword& word : words_of_ranks()) mesh.said.words[word.name] = said(whole, word.name);
}

bool is_distributed(const MeshOptions& options) {
  return !options.said["mesh"].empty() || options.ranks > 0;
}

Mesh mesh_of(const MeshOptions& options) {
  if (options.said["mesh"].empty()) return {.axes = {{"tp", options.ranks}}};
  Mesh mesh = read_flag("--mesh", options.said["mesh"], parse_mesh);
  if (options.ranks > 0 && rank_count(mesh) != options.ranks)
    throw UsageError("--ranks", "it must be the " + std::to_string(rank_count(mesh)) +
                                    " ranks of --mesh, or be left out");
  return mesh;
}

DistributedProblem distributed_problem_of(const Problem& problem, const MeshOptions& options) {
  DistributedProblem result{.problem = problem};
  result.mesh = mesh_of(options);
  // Rounds by NCCL were never faster than one step after the other.
  if (options.transport == "nccl") result.overlap = OverlapChoice::none;
  for (const Keyword& word : words_of_ranks())
    if (const std::string& text = options.said[word.name]; !text.empty())
      read_flag(std::string(word.flag), text,
                [&](const std::string& value) { choose(result, word.name, value); });
  constexpr int kSmsOfNccl = 16;
  const bool is_beside = options.transport == "nccl" && result.overlap != OverlapChoice::none;
  if (options.said["transport-sms"].empty() && is_beside) result.transport_sms = kSmsOfNccl;
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
