// The benchmark's command line.
#include "options.hpp"

#include <algorithm>
#include <map>

namespace jute::bench {
namespace {

[[noreturn]] void refuse(ErrorCode code, const std::string& what, const std::string& value) {
  throw Exception(
      {.code = code, .operand = what, .value = value, .violated_rules = {"see jute_bench --help"}});
}

bool holds_one_of(const std::string& text, const std::vector<std::string>& parts) {
  return std::ranges::any_of(
      parts, [&](const std::string& part) { return text.find(part) != std::string::npos; });
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  options.tries.push_back({"planned", {}});
  const std::map<std::string, bool*> flags{{"--sustained", &options.sustained},
                                           {"--plans", &options.show_plans},
                                           {"--host", &options.host_costs},
                                           {"--help", &options.show_help}};
  const std::map<std::string, int*> numbers{{"--rounds", &options.rounds},
                                            {"--rest-ms", &options.rest_ms},
                                            {"--candidates", &options.candidates},
                                            {"--stall", &options.stall_seconds},
                                            {"--report-to", &options.report_descriptor}};
  const std::map<std::string, std::string*> texts{{"--cases", &options.cases},
                                                  {"--csv", &options.csv}};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (const auto flag = flags.find(word); flag != flags.end()) {
      *flag->second = true;
      continue;
    }
    if (!word.starts_with("--")) {
      options.filters.push_back(word);
      continue;
    }
    if (i + 1 == arguments.size()) refuse(ErrorCode::syntax, word, "");
    const std::string& value = arguments[++i];
    if (const auto number = numbers.find(word); number != numbers.end())
      *number->second = std::stoi(value);
    else if (const auto text = texts.find(word); text != texts.end())
      *text->second = value;
    else if (word == "--family")
      options.families.push_back(value);
    else if (word == "--skip")
      options.skipped.push_back(value);
    else if (word == "--try")
      options.tries.push_back({value, parse_config(value)});
    else
      refuse(ErrorCode::unknown_name, "option", word);
  }
  return options;
}

bool is_selected(const Options& options, const Case& bench_case) {
  if (std::ranges::find(options.skipped, bench_case.id) != options.skipped.end()) return false;
  if (options.filters.empty() && options.families.empty()) return true;
  return holds_one_of(bench_case.id, options.filters) ||
         std::ranges::find(options.families, bench_case.family) != options.families.end();
}

std::string_view help_text() {
  return R"(jute_bench [option]... [part of a case's id]...
Races jute with cuBLASLt, contestants taking turns, on the cases of a CSV file.
  --cases FILE      the suite (bench/cases.csv)      --family NAME   cases of a family, repeatable
  --csv FILE        append one line a contestant     --skip ID       leave a case out, repeatable
  --try "tile=128x128x16 stages=3 raster_group=8 mma_atom=NAME atom_layout=(16,16,1) pad=off"
                    one more contestant, repeatable
  --rounds N        timed replays of each (7)        --rest-ms N     rest before each (20)
  --candidates N    cuBLASLt candidates (16)         --sustained     and back to back, power-limited
  --stall SECONDS   kill a silent worker (30)        --plans         print each plan
  --host            what one call costs the host, instead of a race
example: jute_bench --csv f32.csv f32_ --try "tile=128x128x8 stages=2"
)";
}

}  // namespace jute::bench
