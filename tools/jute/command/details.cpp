// Lines of --verbose on settings, plans, kernels and files.
#include "command/details.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/base/settings.hpp>
#include <jute/jit/compile.hpp>
#include <jute/plan/choose/parts.hpp>

#include "tree/numbers.hpp"

namespace jute::command {

std::string Stopwatch::text() const {
  const std::chrono::duration<double, std::milli> passed =
      std::chrono::steady_clock::now() - start_;
  return bench::in_digits(passed.count(), 3) + " ms";
}

void tell_settings(const Session& session) {
  const Settings settings = session.settings();
  std::string text = "settings: cache " + settings.cache +
                     (settings.cache_dir.empty() ? "" : " in " + settings.cache_dir);
  for (const auto& [name, value] :
       {std::pair{"tuned", settings.tuned}, std::pair{"pdl", settings.pdl},
        std::pair{"device", settings.device}, std::pair{"arch", settings.arch},
        std::pair{"NVRTC", settings.nvrtc},
        std::pair{"templates", session.templates_folder(settings)},
        std::pair{"dump", settings.dump_dir}})
    if (!value.empty()) text += std::string("; ") + name + " " + value;
  session.detail(text);
}

void tell_plan(const Plan& plan, const std::string& time, const Session& session) {
  std::vector<std::string> names;
  for (const Plan& part : parts_of(plan))
    for (const jute::Step& step : part.steps) names.push_back(head_of(step).symbol);
  session.detail("plan: " + (names.empty() ? "no kernel" : joined(names)) + "; for " +
                 plan.device.name + " (" + to_string(plan.device.arch) + "), in " + time);
}

void tell_kernels(const CacheCounts& counts, const std::string& time, const Session& session) {
  const Settings settings = session.settings();
  std::string text;
  if (counts.compiles > 0) {
    const Compiler compiler(settings);
    text = std::to_string(counts.compiles) + " compiled in " + time + " by NVRTC " +
           compiler.version() + ", " + compiler.path();
  }
  if (counts.disk_hits > 0)
    text += (text.empty() ? "" : "; ") + std::to_string(counts.disk_hits) + " from the cache " +
            settings.cache_dir;
  session.detail("kernels: " + (text.empty() ? "none" : text));
}

void tell_written(const std::string& path, const Session& session) {
  session.detail("wrote " + path);
}

}  // namespace jute::command
