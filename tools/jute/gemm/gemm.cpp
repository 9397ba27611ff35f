// `jute gemm`: D = alpha * A·B + beta * C from files or random data, judged when asked.
#include <jute/gemm/gemm.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/derive/stamps.hpp>
#include <jute/ranks/distributed_gemm.hpp>

#include <algorithm>
#include <memory>
#include <ostream>

#include "command/command_line.hpp"
#include "command/delivery.hpp"
#include "command/details.hpp"
#include "command/exit_status.hpp"
#include "command/progress.hpp"
#include "gemm/gemm_from.hpp"
#include "mesh/mesh_run.hpp"
#include "options/backend_options.hpp"
#include "options/build_options.hpp"
#include "options/mesh_options.hpp"
#include "options/race_options.hpp"
#include "pictures/charts.hpp"
#include "product/device_data.hpp"
#include "product/gemm_data.hpp"
#include "product/gemm_report.hpp"
#include "product/product_run.hpp"
#include "product/result_files.hpp"

namespace jute::command {
namespace {

struct GemmOptions {
  ProblemOptions problem;
  GemmFiles files;
  BackendOptions backend;
  MeshOptions mesh;
  std::string stamps;
  std::vector<std::string> outputs;  // `D.npy`, `g=G.npy`
  std::optional<std::uint64_t> seed;
  std::optional<int> rounding_seed;  // an input of the epilogue
  bool integers = false, verify = false;
  double alpha = 1.0;
  std::optional<double> beta;
  int repeat = 1;
  std::string from;
  int product = 0;
  int race = 0;  ///< candidates; 0: none

  /// A C that is given is added.
  [[nodiscard]] Scaling scale() const {
    return {alpha, beta.value_or(files.c.empty() ? 0.0 : 1.0)};
  }
};

[[noreturn]] void refuse_flag(const std::string& flag, const std::string& rule) {
  throw UsageError(flag, rule);
}

bool has_files(const GemmOptions& options) {
  return !options.files.a.empty() || !options.files.b.empty();
}

/// throws  UsageError: no operands, or too few or too many to tell which are meant
void check_operands(const GemmOptions& options) {
  const bool files = has_files(options);
  // A shape alone means random operands: files say theirs themselves.
  if (!files && !options.seed &&
      (!options.problem.said["M"].empty() || !options.problem.text.empty()))
    refuse_flag("--random", "it must be given, for example --random 1");
  if (files == options.seed.has_value())
    refuse_flag("operands",
                "they must come from --a A.npy --b B.npy, or from --random SEED with --m --n --k");
  if (!files && !options.files.c.empty())
    refuse_flag("--c", "it must be left out with --random: C is random too");
  if (!files) return;
  if (!options.problem.text.empty())
    refuse_flag("--problem", "it must be left out: files say themselves what they hold");
  const ProblemOptions& problem = options.problem;
  for (const auto& [flag, is_given] : {std::pair{"--contract", !problem.contract.empty()},
                                       std::pair{"--conv", !problem.conv.empty()},
                                       std::pair{"--extents", !problem.extents.empty()},
                                       std::pair{"--gradient", !problem.gradient.empty()},
                                       std::pair{"--part", problem.part.has_value()}})
    if (is_given)
      refuse_flag(flag, "it must be left out: jute contract and jute conv multiply files so");
  if (options.files.a.empty()) refuse_flag("--a", "it must be given together with --b");
  if (options.files.b.empty()) refuse_flag("--b", "it must be given together with --a");
}

GemmData read_data(const GemmOptions& options) {
  check_operands(options);
  if (!has_files(options))
    return random_data(options.problem, options.files, *options.seed,
                       options.integers ? RandomKind::integers : RandomKind::normal);
  GemmData data = data_from_files(options.problem, options.files);
  if (reads_c(data.problem, options.scale().beta) && options.files.c.empty())
    refuse_flag(data.problem.epilogue ? "--epilogue" : "--beta", "it needs --c C.npy");
  if (!options.files.c.empty() && c_read(data.problem) == CRead::never)
    refuse_flag("--c", "it must be left out: the epilogue does not name c");
  return data;
}

/// The Gemm of the problem; with --stamps one whose kernel leaves them.
Gemm prepared(Context& context, const GemmOptions& options, const Problem& problem,
              const Session& session) {
  for (const std::string& fault : {context.tuned_fault(), context.chip_fault()})
    if (!fault.empty()) session.note("what jute tune kept is not used: " + fault);
  if (options.race > 0) return raced(context, problem, options.problem, options.race, session).gemm;
  Config config = config_for(options.problem, problem, context.device_info(), context.catalogue());
  if (options.stamps.empty()) {
    Gemm gemm = prepare(context, problem, config);
    note_chip(gemm.plan(), session);
    return gemm;
  }
  return prepare(context,
                 stamped(make_plan(problem, context.device_info(), config, context.catalogue())));
}

/// Writes the stamps of a run of so many rows, as the name of the file wants them.
void write_stamps(Backend& backend, const Gemm& gemm, Index m, DevicePointer workspace,
                  OutputFile& file) {
  const std::vector<StampLane> lanes = stamps_of_run(backend, gemm, m, workspace);
  file.write(file.path().ends_with(".svg") ? stamps_svg(lanes) : stamps_csv(lanes));
  file.commit();
}

/// The file of --stamps, if there is one.
std::optional<OutputFile> stamps_file(const GemmOptions& options) {
  if (options.stamps.empty()) return std::nullopt;
  check_suffix(options.stamps, {".csv", ".svg"}, "--stamps");
  return OutputFile(options.stamps);
}

/// Runs and brings back what it wrote.
HostResult run_on(Backend& backend, const GemmOptions& options, const GemmData& data,
                  const Gemm& gemm, GemmOutcome& outcome, std::optional<OutputFile>& stamps) {
  if (options.repeat != 1 && data.problem.d.rows && data.problem.d.rows->store == RowStore::add)
    refuse_flag("--repeat", "it must be left out where rows of D are added: each run adds them");
  const bool with_c = reads_c(data.problem, options.scale().beta);
  DeviceData device =
      upload(backend, data, gemm.workspace_bytes(), with_c ? BringC::yes : BringC::no);
  gemm.clear_workspace(device.workspace.pointer());
  if (stamps) backend.fill(device.workspace.pointer(), 0, gemm.workspace_bytes());
  const GemmArgs args = run_args(data, device, options.scale());
  outcome.run_ms = run_timed(backend, gemm, args, options.repeat);
  HostResult result = downloaded(backend, device);
  if (stamps) write_stamps(backend, gemm, data.problem.m, device.workspace.pointer(), *stamps);
  return result;
}

/// The options that a bundle leaves open.
FromOptions from_options(const GemmOptions& options) {
  if (!options.seed) refuse_flag("--random", "it must be given with --from: --random 1");
  return {.folder = options.from,
          .product = options.product,
          .m = options.problem.said.number("M"),
          .seed = *options.seed,
          .fill = options.integers ? RandomKind::integers : RandomKind::normal,
          .inputs = options.files.inputs,
          .scale = options.scale(),
          .verify = options.verify,
          .backend = options.backend,
          .chip = options.problem};
}

/// The stamps of a kernel are of the one that is planned.
void check_race(const GemmOptions& options) {
  if (options.race > 0 && !(options.stamps.empty() && options.from.empty()))
    refuse_flag("--race", "it must stand without --from and --stamps");
}

/// Refuses options that a run on several ranks leaves out.
void check_mesh(const GemmOptions& options) {
  if (!options.from.empty() || !options.stamps.empty())
    refuse_flag("--mesh", "it must stand without --from and --stamps");
  if (options.repeat != 1) refuse_flag("--mesh", "it must stand without --repeat");
}

int run_gemm_on_mesh(const GemmOptions& options, const Session& session) {
  check_mesh(options);
  ResultFiles files(options.outputs);
  const GemmData data = read_data(options);
  files.require_of(data.problem, session);
  for (const Conversion& file : data.conversions) session.note("jute: " + to_string(file));
  const MeshRanks ranks(options.problem, options.mesh, options.backend, session);
  // Nothing of C has a part in what the plan says to move.
  Problem problem = prepared_problem(data);
  if (!problem.epilogue && options.scale().beta == 0) problem.beta = Factor::zero;
  DistributedPlan plan =
      distributed_plan(problem, options.problem, options.mesh, session, ranks.chip());
  if (options.race > 0) plan = tune(ranks.context(0), plan, {.candidates = options.race});
  if (!plan.buffers[buffer_of(plan, "D")].held.sums.empty())
    refuse_flag("--place", "D must not be summands: the command has one D, which D=all gives");
  const Scaling scale = options.scale();
  MeshOutcome outcome = ranks.run(plan, data, scale);
  if (options.verify) judge(outcome, data, scale);
  if (!files.empty())
    outcome.output = files.write(data, array_of_d(data.problem, outcome.d, data.batched), {});
  if (!outcome.output.empty()) tell_written(outcome.output, session);
  const std::string check =
      outcome.judgement ? judgement_text(*outcome.judgement, data.problem) : std::string();
  session.print(to_json(outcome), session.common.quiet ? check : to_string(outcome));
  return outcome.judgement && !outcome.judgement->verdict.ok ? kAnswerIsNo : kDone;
}

/// Everything that can be refused is refused before the work begins.
int run_gemm(const GemmOptions& options, const Session& session) {
  check_race(options);
  if (is_distributed(options.mesh)) return run_gemm_on_mesh(options, session);
  if (!options.from.empty()) return run_gemm_from(from_options(options), session);
  std::optional<OutputFile> stamps = stamps_file(options);
  ResultFiles files(options.outputs, stamps ? std::vector<PlannedFile>{{"--stamps", stamps->path()}}
                                            : std::vector<PlannedFile>{});
  const GemmData data = read_data(options);
  files.require_of(data.problem, session);
  for (const Conversion& file : data.conversions) session.note("jute: " + to_string(file));
  const Problem& shape = data.problem;
  std::optional<ProgressLine> line(
      std::in_place, session,
      ProgressState{.what = "emulating",
                    .work = 1e-9 * static_cast<double>(shape.batch) * static_cast<double>(shape.m) *
                            static_cast<double>(shape.n) * static_cast<double>(shape.k),
                    .unit = "GMAC"});
  BackendOptions device = options.backend;
  device.progress = [&](Index done, Index all) {
    if (line) line->at(done, all);
  };
  Context context = open_context(options.problem, device, session);
  const Problem problem = prepared_problem(data);
  const Gemm gemm = prepared(context, options, problem, session);
  tell_prepared(gemm, context.compile_count(), session);
  GemmOutcome outcome(context.backend(), gemm, problem);
  outcome.conversions = data.conversions;
  const HostResult result = run_on(context.backend(), options, data, gemm, outcome, stamps);
  line.reset();
  if (options.verify) {
    outcome.judge(data, result.d, options.scale());
    outcome.judge_outputs(data, result.outputs, options.scale());
  }
  if (!files.empty())
    outcome.output =
        files.write(data, array_of_d(data.problem, result.d, data.batched), result.outputs);
  if (!outcome.output.empty()) tell_written(outcome.output, session);
  if (!options.stamps.empty()) tell_written(options.stamps, session);
  print(outcome, session);
  return outcome.judgement && !outcome.is_right() ? kAnswerIsNo : kDone;
}

/// Where operands come from.
void add_operand_files(Command& sub, GemmOptions& options) {
  const OptionGroup group{sub, "Operands"};
  GemmFiles& files = options.files;
  sub.option("--a A.npy", &files.a, "A: (M,K), or (batch,M,K)").takes(Strays::word);
  sub.option("--b B.npy", &files.b, "B: (K,N), or (batch,K,N)").takes(Strays::word);
  group.option("--transpose-a", &files.transpose_a, "The file of A holds (K,M)");
  group.option("--transpose-b", &files.transpose_b,
               "The file of B holds (N,K), as torch keeps the weight of a Linear");
  sub.option("--c C.npy", &files.c, "C: (M,N), or (batch,M,N)").takes(Strays::word);
  group.option("--input NAME=X.npy", &files.inputs,
               "An input of the epilogue: a file, or a number for a scalar");
  group
      .option("--seed NUMBER", &options.rounding_seed,
              "Of an epilogue that rounds by random words, as --round-d stochastic does")
      .non_negative();
}

/// The options that a bundle leaves open, and how it is told.
Words read_of_bundles() {
  return {"--product",       "--m",
          "--random",        "--integers",
          "--input",         "--seed",
          "--alpha",         "--beta",
          "--verify",        "--device",
          "--check",         "--schedule",
          "--resident",      "--max-instructions",
          "--max-memory",    "--arch",
          "--device-preset", "--json",
          "--quiet",         "--color"};
}

/// A product that is ready.
void add_bundle_flags(Command& sub, GemmOptions& options) {
  const OptionGroup group{sub, "More of a run"};
  group
      .option("--from DIR", &options.from,
              "Run a product that jute export has written, planning and compiling nothing")
      .with_nothing_but(read_of_bundles());
  group.option("--product", &options.product, "With --from: which of the bundle's problems")
      .non_negative()
      .with_default()
      .with({"--from"});
}

/// Adds the rest that may be said of a run.
void add_more_of_a_run(Command& sub, GemmOptions& options) {
  const OptionGroup group{sub, "More of a run"};
  group.option("--alpha", &options.alpha, "Factor of A·B").with_default();
  group.option("--beta", &options.beta, "Factor of C: 1 where --c is given, else 0");
  group.option("--repeat", &options.repeat, "Run this often and tell the median time")
      .between(1, 1000000)
      .with_default();
  add_bundle_flags(sub, options);
  group.option("--stamps FILE", &options.stamps,
               "Let the kernel stamp when each role came where; .csv lists, .svg draws");
}

/// Makes --seed an input like others.
void take_rounding_seed(GemmOptions& options) {
  if (!options.rounding_seed) return;
  const auto epilogue = epilogue_of(options.problem);
  const bool is_drawn = options.problem.said["round_d"] == "stochastic" ||
                        (epilogue && std::ranges::any_of(epilogue->inputs, [](const auto& input) {
                           return input.name == "seed";
                         }));
  if (!is_drawn)
    refuse_flag("--seed",
                "it must be left out: no epilogue rounds by random words, and the seed of operands "
                "is --random's");
  options.files.inputs.push_back("seed=" + std::to_string(*options.rounding_seed));
  options.rounding_seed.reset();
}

}  // namespace

void add_gemm(Command& jute) {
  auto options = std::make_shared<GemmOptions>();
  Command& sub = jute.add("gemm", "Compute D = alpha * A·B + beta * C",
                          "jute gemm --m 256 --n 256 --k 64 --random 1 --type f32 --verify");
  add_operand_files(sub, *options);
  sub.option("-o,--output D.npy", &options->outputs,
             "Write D, or an output of the epilogue: g=G.npy");
  sub.option("--random SEED", &options->seed, "Normal random operands instead of files")
      .non_negative();
  sub.option("--integers", &options->integers,
             "With --random: small integers, whose sums are exact")
      .with({"--random"})
      .under("Operands");
  sub.option("--verify", &options->verify, "Compare D with a reference and its error bound");
  add_more_of_a_run(sub, *options);
  add_device_flags(sub, options->backend);
  add_problem_flags(sub, options->problem);
  add_list_flags(sub, options->problem.lists, {"--a", "--b"});
  add_choice_flags(sub, options->problem);
  add_race_flag(sub, options->race);
  add_mesh_flags(sub, options->mesh);
  add_rank_flags(sub, options->mesh);
  sub.reads = {"--atoms", "--templates", "--verbose"};
  sub.run = [options](const Session& session) {
    take_rounding_seed(*options);
    take_mesh_of_text(options->problem, options->mesh);
    return run_gemm(*options, session);
  };
  // Before files are read their headers alone are known; a pipe has no more once it was read.
  sub.judge = [options](const Session& session) {
    take_rounding_seed(*options);
    take_mesh_of_text(options->problem, options->mesh);
    if (!options->from.empty() && !is_distributed(options->mesh)) {
      (void)from_options(*options);
      return;
    }
    check_operands(*options);
    const GemmFiles& files = options->files;
    if (is_distributed(options->mesh)) {
      check_mesh(*options);
      if (options->seed) (void)distributed_plan(options->problem, options->mesh, session);
      return;
    }
    if (options->seed) (void)planned(options->problem, session);
    if (!options->seed && is_regular_file(files.a) && is_regular_file(files.b))
      check_files(options->problem, files);
  };
}

}  // namespace jute::command
