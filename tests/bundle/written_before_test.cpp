// What an earlier jute has written is read: the same choices, the same bits, and kernels for as
// long as their text stays.
#include <jute/codegen/generate.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/context.hpp>
#include <jute/jit/disk_cache.hpp>
#include <jute/jit/tuned_file.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem_class.hpp>
#include <jute/plan/values/plan.hpp>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

const std::string kWritten = JUTE_SOURCE_DIR "/tests/golden/written/";

std::string written_text(const std::string& file) {
  std::ifstream in(kWritten + file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Choices as they were told, and the kernel that they gave.
struct WrittenChoices {
  std::string chip, problem, choices, symbol;
};
std::vector<WrittenChoices> written_choices() {
  std::vector<WrittenChoices> all;
  std::istringstream lines(written_text("choices.txt"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    WrittenChoices& one = all.emplace_back();
    for (std::string* word : {&one.chip, &one.problem, &one.choices, &one.symbol})
      std::getline(words, *word, '\t');
  }
  return all;
}

/// A kernel's name without the hash of its text, which may have been written anew since.
std::string stem_of(const std::string& symbol) { return symbol.substr(0, symbol.rfind('_')); }

std::string symbol_of(const WrittenChoices& one, const std::string& choices) {
  const Plan plan =
      make_plan(parse_problem(one.problem), device_preset(one.chip), parse_config(choices));
  return generate(plan).back().symbol;
}

}  // namespace

TEST_CASE("choices that were written before give the kernels that they gave", "[bundle][written]") {
  const std::vector<WrittenChoices> all = written_choices();
  CHECK(all.size() >= 30);
  for (const WrittenChoices& one : all) {
    INFO(one.chip << " " << one.problem << " | " << one.choices);
    CHECK(stem_of(symbol_of(one, one.choices)) == stem_of(one.symbol));
  }
}

TEST_CASE("a tuned file that was written before is found by its problems' classes",
          "[bundle][written]") {
  const DeviceInfo& device = device_preset("h200");
  const TunedTable table = parse_tuned(written_text("tuned.txt"), device);
  CHECK(table.fault.empty());
  REQUIRE(table.choices.size() >= 8);
  std::size_t found = 0;
  for (const WrittenChoices& one : written_choices()) {
    if (one.chip != "h200") continue;
    const auto choices = table.choices.find(problem_class(completed(parse_problem(one.problem))));
    if (choices == table.choices.end() || choices->second != one.choices) continue;
    CHECK(stem_of(symbol_of(one, choices->second)) == stem_of(one.symbol));
    ++found;
  }
  CHECK(found == table.choices.size());
}

namespace {

/// Runs what a layer was packed for; gives how many problems that are.
int run_served(Context& context, const std::string& layer) {
  std::istringstream lines(written_text(layer + "/kernels/served.problems"));
  int served = 0;
  for (std::string line; std::getline(lines, line); ++served) {
    GemmCase one;
    one.problem = parse_problem(line);
    one.seed = 7;
    const bool has_factors = one.problem.alpha == Factor::run_time;
    one.alpha = has_factors ? 2 : 1;
    INFO(line);
    // Sums of whole numbers are right to the last bit.
    CHECK(describe(one, run_case(context, one, make_data(one))) == "");
  }
  return served;
}

}  // namespace

TEST_CASE("a layer of kernels as they are written now serves its problems without a compiler",
          "[bundle][written]") {
  const TemporaryFolder folder;
  ContextOptions options;
  options.settings.cache = "off";
  options.settings.tuned = "off";
  options.settings.cache_layers = {kWritten + "layer_5"};
  options.settings.compile = "forbidden";
  options.settings.nvrtc = folder.file("none");
  Context context(open_emulator(), options);
  CHECK(run_served(context, "layer_5") == 3);
  CHECK(context.compile_count() == 0);
}

TEST_CASE("a layer of kernels that are written otherwise now is read, and theirs are compiled anew",
          "[bundle][written]") {
  for (const char* const layer : {"layer", "layer_2", "layer_3", "layer_4"}) {
    for (const CacheEntry& entry : DiskCache(kWritten + layer, CacheAccess::read_only).list()) {
      INFO(entry.file);
      CHECK(entry.fault.empty());
      CHECK(entry.symbol.starts_with("jute_"));
    }
    ContextOptions options = with_kept_kernels();
    options.settings.tuned = "off";
    options.settings.cache_layers = {kWritten + layer};
    Context context(open_emulator(), options);
    CHECK(run_served(context, layer) == 3);
  }
}

TEST_CASE("a bundle that was exported before runs from its folder", "[bundle][written]") {
  for (const char* const product : {"0", "1"}) {
    const ProcessResult run =
        run_jute({"gemm", "--from", kWritten + "bundle", "--product", product, "--device",
                  "emulator", "--random", "1", "--integers", "--verify"});
    INFO(run.out << run.err);
    CHECK(run.status == 0);
    CHECK(run.out.find("check    ok: error 0 where") != std::string::npos);
  }
}
