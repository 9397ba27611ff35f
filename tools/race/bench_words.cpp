// Names and meaning of the options of `jute bench`.
#include "race/bench_words.hpp"

#include <memory>
#include <utility>

#include "options/build_options.hpp"

namespace jute::command {

bool is_of_ranks(const BenchOptions& options) {
  const bool is_distributed = command::is_distributed(options.mesh);
  if (!is_distributed && !options.backend.device.empty())
    throw UsageError("--device", "it needs --ranks or --mesh: contestants race on a GPU");
  if (!is_distributed) return false;
  for (const auto& [flag, is_given] :
       {std::pair{"--cases", !options.cases.file.empty()},
        std::pair{"--try", !options.tries.empty()}, std::pair{"--csv", !options.csv.empty()},
        std::pair{"--svg", !options.svg.empty()},
        std::pair{"--roofline", !options.roofline.empty()}, std::pair{"--host", options.host},
        std::pair{"--cold", options.cold}, std::pair{"--sustained", options.sustained},
        std::pair{"--mode", !options.modes.empty()}})
    if (is_given) throw UsageError(flag, "it must be left out where several ranks run");
  return true;
}

namespace {

void add_output_flags(Command& sub, BenchOptions& options) {
  const OptionGroup group{sub, "Output"};
  group.option("--csv FILE.csv", &options.csv, "Append a line for each contestant and mode");
  group.option("--svg FILE.svg", &options.svg, "Draw bars of ratios");
  group.option("--roofline FILE.svg", &options.roofline,
               "Draw what was reached below what is possible");
}

}  // namespace

void add_bench_words(Command& jute, std::function<int(const BenchOptions&, const Session&)> race) {
  auto options = std::make_shared<BenchOptions>();
  Command& sub =
      jute.add("bench", "Race jute with cuBLASLt on the GPU, contestants taking turns",
               "jute bench --m 4096 --n 4096 --k 4096 --type bf16 --order-b col --sustained");
  add_case_flags(sub, options->cases);
  sub.option("--try CONFIG", &options->tries,
             "One more contestant: choices as `jute plan` prints them, \"tile=128x128x32 "
             "stages=4\"; repeatable");
  sub.option("--fast-accumulation", &options->fast_accumulation,
             "8-bit floats: both sides leave sums to the tensor cores; else both promote them");
  sub.option("--sustained", &options->sustained,
             "Race once more without rests, after two seconds of load");
  sub.option("--cold", &options->cold,
             "Race once more launch by launch, 256 MiB written to memory before each");
  sub.option("--mode", &options->modes, "Race in this mode alone; repeatable")
      .one_of({"cool", "pdl off", "stream", "chain", "sustained", "cold"})
      .without({"--sustained", "--cold"});
  sub.option("--rounds", &options->rounds, "Timed turns of each contestant")
      .between(1, 1000)
      .with_default();
  sub.option("--rest-ms", &options->rest_ms, "Rest before each turn")
      .between(0, 10000)
      .with_default();
  sub.option("--no-peers", &options->no_peers, "Time jute alone");
  sub.option("--cublas PATH", &options->cublas, "Where libcublasLt is: the file, or its folder");
  sub.option("--stall", &options->stall_seconds,
             "Give a case up when its process is silent for so many seconds")
      .between(1, 3600)
      .with_default();
  sub.option("--host", &options->host, "Tell what one call costs the host, instead of a race");
  add_output_flags(sub, *options);
  add_mesh_flags(sub, options->mesh);
  add_rank_flags(sub, options->mesh);
  sub.option("--device", &options->backend.device, "Where several ranks run")
      .one_of({"cuda", "emulator"})
      .under("Several ranks");
  add_problem_flags(sub, options->problem);
  add_choice_flags(sub, options->problem);
  sub.reads = {"--atoms", "--templates", "--verbose"};
  sub.run = [options, race = std::move(race)](const Session& session) {
    take_mesh_of_text(options->problem, options->mesh);
    return race(*options, session);
  };
  sub.judge = [options](const Session& session) {
    take_mesh_of_text(options->problem, options->mesh);
    if (is_of_ranks(*options)) return;
    if (options->cases.file.empty() && !options->host) (void)planned(options->problem, session);
  };
}

}  // namespace jute::command
