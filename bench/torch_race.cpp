// What torch_race.py calls: prepared kernels behind a few C functions. Addresses and streams are
// the caller's, of the device's primary context, which torch uses too.
#include <jute/jute.hpp>

#include <memory>
#include <string>

namespace {

using namespace jute;

struct RaceProduct {
  Gemm gemm;
};

thread_local std::string said;

/// Runs the task; what it refuses is kept for `jute_race_error`.
template <class Task>
auto told(Task task) -> decltype(task()) {
  try {
    said.clear();
    return task();
  } catch (const std::exception& exception) {
    said = exception.what();
    return {};
  }
}

}  // namespace

#define JUTE_RACE extern "C" __attribute__((visibility("default")))

/// Why the last call gave nothing.
JUTE_RACE const char* jute_race_error() { return said.c_str(); }

/// One for the process; null: jute_race_error says why.
JUTE_RACE void* jute_race_open() {
  return told([]() -> void* {
    ContextOptions options;
    options.device = DeviceChoice::cuda;
    return std::make_unique<Context>(options).release();
  });
}

/// A problem by its text (docs/problem-text.md). Null: jute_race_error says why.
JUTE_RACE void* jute_race_prepare(void* context, const char* problem) {
  return told([&]() -> void* {
    return std::make_unique<RaceProduct>(
               RaceProduct{prepare(*static_cast<Context*>(context), parse_problem(problem))})
        .release();
  });
}

JUTE_RACE long long jute_race_workspace_bytes(const void* product) {
  return static_cast<const RaceProduct*>(product)->gemm.workspace_bytes();
}

/// Before the first run in this workspace.
JUTE_RACE void jute_race_clear(const void* product, unsigned long long workspace) {
  static_cast<const RaceProduct*>(product)->gemm.clear_workspace(workspace);
}

/// `ends` is the list of groups, `scale_b` what blocks of B are multiplied by, 0 without. 0:
/// jute_race_error says why.
JUTE_RACE int jute_race_run(const void* product, unsigned long long a, unsigned long long b,
                            unsigned long long d, unsigned long long ends,
                            unsigned long long scale_b, unsigned long long workspace,
                            void* stream) {
  return told([&] {
    GemmArgs args{.a = a, .b = b, .d = d, .workspace = workspace, .ends = ends};
    args.scale_b = scale_b;
    args.stream.handle = reinterpret_cast<std::uintptr_t>(stream);
    static_cast<const RaceProduct*>(product)->gemm.run(args);
    return 1;
  });
}
