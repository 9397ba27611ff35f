#pragma once
// What the handles of jute.h stand for.
#include <jute/jute.h>
#include <jute/gemm/context.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/layout/chained_layout.hpp>
#include <jute/plan/values/plan.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "c/call.hpp"
#include "c/handles.hpp"

namespace jute::c {

struct TextObject {
  std::string text;
};

struct LayoutObject {
  ComposedLayout layout;
  std::string text;
};

/// Told by one thread at a time.
struct Log {
  void (*write)(void* user, const char* line) = nullptr;
  void* user = nullptr;
  std::mutex mutex{};
};

struct Allocator {
  std::uint64_t (*allocate)(void* user, std::int64_t bytes) = nullptr;
  void (*release)(void* user, std::uint64_t address) = nullptr;
  void* user = nullptr;
};

struct ContextObject {
  ContextObject(std::unique_ptr<Backend> backend, const ContextOptions& options,
                const jute_context_options& given);
  /// throws  unsupported: this process is a child of the one that opened the GPU
  [[nodiscard]] Context& usable();
  void log(const std::string& line);
  /// Remembers memory of jute_memory_allocate until it is freed.
  void keep(DevicePointer allocated);
  ///   throws  out_of_range: it is none of them
  void give_up(DevicePointer address);

  Settings settings;
  Context context;
  Log log_lines;
  Allocator allocator;
  Texts texts;
  bool is_on_gpu;
  int process;  ///< how often the process had forked
  std::mutex memory_mutex{};
  std::unordered_multiset<DevicePointer> memory{};  ///< allocated, not freed
};

struct ProblemObject {
  Problem problem;
  std::string text;  ///< completed
  /// Which operand of a contraction's letters is A, which B.
  std::array<std::size_t, 2> operands{0, 1};
  std::vector<Problem> behind{};  ///< further parts of the same D
};
/// The problem; of parts of one D all of them.
[[nodiscard]] std::vector<Problem> all_parts(const ProblemObject& object);
/// Parts of one D, or one problem alone.
///   throws  what require_parts and completed throw
[[nodiscard]] std::shared_ptr<ProblemObject> object_of_parts(std::vector<Problem> parts);

struct PlanObject {
  std::shared_ptr<ContextObject> context;
  Plan plan;
  Config config;
  std::vector<Source> sources;
  Texts texts;
};

struct GemmObject {
  std::shared_ptr<ContextObject> context;
  Gemm gemm;
  Texts texts;
};

struct WorkspaceObject {
  ~WorkspaceObject();
  std::shared_ptr<ContextObject> context;
  std::uint64_t address = 0;
};

// clang-format off
template <> struct ObjectOf<jute_text> { using type = TextObject; static constexpr HandleKind kind = HandleKind::text; };
template <> struct ObjectOf<jute_layout> { using type = LayoutObject; static constexpr HandleKind kind = HandleKind::layout; };
template <> struct ObjectOf<jute_context> { using type = ContextObject; static constexpr HandleKind kind = HandleKind::context; };
template <> struct ObjectOf<jute_problem> { using type = ProblemObject; static constexpr HandleKind kind = HandleKind::problem; };
template <> struct ObjectOf<jute_plan> { using type = PlanObject; static constexpr HandleKind kind = HandleKind::plan; };
template <> struct ObjectOf<jute_gemm> { using type = GemmObject; static constexpr HandleKind kind = HandleKind::gemm; };
template <> struct ObjectOf<jute_workspace> { using type = WorkspaceObject; static constexpr HandleKind kind = HandleKind::workspace; };
// clang-format on

/// Puts a new handle where the caller wants it.
template <class Handle>
void give(Handle** place, std::shared_ptr<typename ObjectOf<Handle>::type> object) {
  *place = new_handle<Handle>(std::move(object));
}
/// The place for a handle, which is NULL until there is one.
template <class Handle>
void expect(Handle** place, const char* name) {
  require(place, name);
  *place = nullptr;
}

/// `choices` of a plan; NULL leaves all to the planner.
[[nodiscard]] inline Config config_of(const char* choices) {
  return parse_config(text_or_empty(choices));
}

}  // namespace jute::c
