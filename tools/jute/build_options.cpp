// From problem flags to plans, sources and binaries.
#include "build_options.hpp"

#include <jute/codegen/generate.hpp>
#include <jute/jit/cache.hpp>

#include <ostream>
#include <sstream>

namespace jute::command {

Command& add_build_subcommand(Command& jute, BuildOptions& options, std::string_view name,
                              std::string_view description, std::string_view example) {
  Command& sub = jute.add(name, description, example);
  add_problem_flags(sub, options.problem);
  sub.option("--step", &options.step, "One step of the plan alone, from 0");
  sub.option("-o,--output", &options.output, "Write a file instead of printing").type("FILE");
  return sub;
}

Plan planned(const BuildOptions& options, const Session& session) {
  return make_plan(problem_of(options.problem), chip_of(options.problem, session.settings()),
                   config_of(options.problem), session.catalogue());
}

size_t step_index(int step, size_t count) {
  const int last = static_cast<int>(count) - 1;
  if (0 <= step && step <= last) return static_cast<size_t>(step);
  throw Exception({.code = ErrorCode::out_of_range,
                   .operand = "--step",
                   .value = std::to_string(step),
                   .violated_rules = {"the plan's steps are 0 to " + std::to_string(last)},
                   .nearest_legal = step < 0 ? "0" : std::to_string(last)});
}

std::vector<Source> generated(const BuildOptions& options, const Session& session) {
  std::vector<Source> sources =
      generate(planned(options, session), session.templates(session.settings()));
  if (!options.step) return sources;
  return {std::move(sources[step_index(*options.step, sources.size())])};
}

std::vector<Binary> compiled(const BuildOptions& options, const Session& session, Output output) {
  const std::vector<Source> sources = generated(options, session);
  const KernelCache cache(session.settings());
  std::vector<Binary> binaries;
  for (const Source& source : sources) {
    binaries.push_back(cache.get(source, output));
    session.detail(to_line(binaries.back()));
  }
  return binaries;
}

const Binary& only_one(const std::vector<Binary>& binaries) {
  if (binaries.size() == 1) return binaries.front();
  throw Exception({.code = ErrorCode::illegal_config,
                   .operand = "--step",
                   .violated_rules = {"it picks one of the plan's " +
                                      std::to_string(binaries.size()) + " steps"},
                   .nearest_legal = "0"});
}

std::string to_line(const Binary& binary) {
  std::ostringstream line;
  line << binary.symbol << ": ";
  if (!binary.resources) {
    line << binary.ptx.size() << " bytes of PTX";
    return line.str();
  }
  const Resources& resources = *binary.resources;
  line << resources.registers << " registers, " << resources.stack_bytes << " bytes of stack, "
       << resources.spill_store_bytes << " + " << resources.spill_load_bytes
       << " bytes spilled and reloaded, " << resources.static_smem_bytes
       << " bytes of static shared memory";
  return line.str();
}

}  // namespace jute::command
