// `jute cache warm` and `jute cache pack`: kernels compiled before they are asked for.
#include <jute/codegen/generate.hpp>
#include <jute/gemm/served.hpp>
#include <jute/jit/cache.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <ostream>
#include <thread>

#include "command/details.hpp"
#include "command/exit_status.hpp"
#include "files/files.hpp"
#include "files/json_writer.hpp"
#include "options/cover_options.hpp"
#include "options/race_options.hpp"
#include "ready/cache_folder.hpp"

namespace jute::command {
namespace {

struct WarmOptions {
  CoverFlags cover;
  std::string device = "auto";
  int race = 0;  ///< candidates; 0: none
};

/// The code that a back end of the device runs: machine code, or PTX on the emulator.
Output output_for(const WarmOptions& options, const Session& session) {
  const Settings settings = session.settings();
  const std::string& device = options.device == "auto" ? settings.device : options.device;
  return device == "emulator" ? Output::ptx : Output::ptx_and_cubin;
}

/// The cover of problems whose candidates race first.
Cover raced_cover(const WarmOptions& options, const Session& session) {
  const ProblemOptions& flags = options.cover.problem;
  if (!flags.preset.empty())
    throw UsageError("--device-preset", "it must be left out with --race: the GPU races");
  const Settings settings = session.settings();
  Context context({.settings = settings,
                   .catalogue = session.catalogue(),
                   .templates = session.templates(settings)});
  Cover all;
  for (const Problem& problem : problems_of(options.cover)) {
    const Tuned tuned = raced(context, problem, flags, options.race, session);
    all.problems.push_back({completed(problem), {tuned.gemm.plan()}});
  }
  return all;
}

/// The kernels of all problems, each once.
std::vector<Source> sources_of(const Cover& cover, const Session& session) {
  const TemplateSet templates = session.templates(session.settings());
  std::vector<Source> sources;
  for (const CoveredProblem& problem : cover.problems)
    for (const Plan& plan : problem.plans)
      for (Source& source : generate(plan, templates)) {
        const auto is_same = [&](const Source& known) { return known.text == source.text; };
        if (std::ranges::none_of(sources, is_same)) sources.push_back(std::move(source));
      }
  return sources;
}

/// Compiles over threads; the first failure is thrown once the others are done.
void compile(const KernelCache& cache, const std::vector<Source>& sources, Output output) {
  std::atomic<size_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  const auto take_turns = [&] {
    for (size_t at = next++; at < sources.size(); at = next++) try {
        (void)cache.get(sources[at], output);
      } catch (...) {
        const std::lock_guard lock(failing);
        if (!failure) failure = std::current_exception();
      }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
      threads.emplace_back(take_turns);
    take_turns();
  }
  if (failure) std::rethrow_exception(failure);
}

int run_warm(const WarmOptions& options, const Session& session) {
  const DiskCache disk = opened_cache(session, CacheAccess::read_write);
  if (session.settings().cache != "on")
    command::refuse(ErrorCode::unwritable, "JUTE_CACHE", session.settings().cache,
                    "the cache must be on to take kernels", "on");
  const Stopwatch watch;
  const std::vector<Source> sources = sources_of(
      options.race > 0 ? raced_cover(options, session) : covered(options.cover, session), session);
  KernelCacheOptions caching = cache_options(session.settings());
  caching.packs = {};  // what a layer has is put here too
  const KernelCache cache(caching, make_kernel_compiler(session.settings()));
  compile(cache, sources, output_for(options, session));
  const CacheCounts counts = cache.counts();
  tell_kernels(counts, watch.text(), session);
  return session.print({{"path", disk.path()},
                        {"kernels", sources.size()},
                        {"compiled", counts.compiles},
                        {"found", counts.disk_hits}},
                       std::to_string(sources.size()) +
                           " kernels: " + std::to_string(counts.compiles) + " compiled, " +
                           std::to_string(counts.disk_hits) + " were there\n");
}

struct LayerOptions {
  std::string folder, problems;
};

int run_pack(const LayerOptions& options, const Session& session) {
  const DiskCache layer(options.folder);
  const std::vector<Problem> problems = options.problems.empty()
                                            ? std::vector<Problem>()
                                            : parse_problems(read_text(options.problems));
  const Index kernels = opened_cache(session, CacheAccess::read_only).copy_to(layer);
  if (!options.problems.empty()) list_served(layer, problems);
  std::string text = std::to_string(kernels) + " kernels in " + layer.path();
  if (!options.problems.empty()) text += " for " + std::to_string(problems.size()) + " problems";
  return session.print({{"path", layer.path()},
                        {"kernels", kernels},
                        {"problems", options.problems.empty() ? Json() : Json(problems.size())}},
                       text + "\n");
}

}  // namespace

void add_cache_filling(Command& cache) {
  auto options = std::make_shared<WarmOptions>();
  Command& warm = cache.add("warm", "Compile the kernels of a file of problems into the cache",
                            "jute cache warm --problem 'M=1:64 N=64 K=64' --device emulator");
  warm.option("--device", &options->device, "What will run them; auto is JUTE_DEVICE, else a GPU")
      .one_of({"auto", "cuda", "emulator"})
      .with_default();
  add_cover_flags(warm, options->cover);
  add_race_flag(warm, options->race);
  warm.reads = {"--atoms", "--templates", "--verbose"};
  warm.run = [options](const Session& session) { return run_warm(*options, session); };
  warm.judge = [options](const Session&) { (void)problems_of(options->cover); };

  auto packing = std::make_shared<LayerOptions>();
  Command& pack = cache.add("pack", "Copy the cache's kernels into a layer that is only read",
                            "jute cache pack -o layer");
  pack.option("-o,--output DIR", &packing->folder,
              "The layer's folder: a word of JUTE_CACHE_LAYERS")
      .required();
  pack.option("--problems FILE.problems", &packing->problems,
              "What the layer serves, so that all else is refused before it is planned");
  pack.reads = {"--verbose"};
  pack.run = [packing](const Session& session) { return run_pack(*packing, session); };
}

}  // namespace jute::command
