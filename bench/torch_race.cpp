// What torch_race.py calls: prepared kernels behind a few C functions. Addresses and streams are
// the caller's, of the device's primary context, which torch uses too.
#include <jute/jute.hpp>

#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace jute;

struct RaceProduct {
  Gemm gemm;
};

thread_local std::string last_error;

/// Runs the task; what it refuses is kept for `jute_race_error`.
template <class Task>
auto told(Task task) -> decltype(task()) {
  try {
    last_error.clear();
    return task();
  } catch (const std::exception& exception) {
    last_error = exception.what();
    return {};
  }
}

Problem of_bf16() {
  Problem like;
  like.a.type = like.b.type = like.c.type = like.d.type = DType::bf16;
  like.alpha = Factor::one;
  like.beta = Factor::zero;
  return like;
}

/// Packed arrays, as `64x64x1024,1024x64x32` has their extents.
std::vector<StridedArray> arrays_of(std::string_view text) {
  std::vector<StridedArray> arrays(1);
  while (!text.empty()) {
    Index extent = 0;
    text.remove_prefix(static_cast<std::size_t>(
        std::from_chars(text.data(), text.data() + text.size(), extent).ptr - text.data()));
    arrays.back().extents.push_back(extent);
    if (text.empty()) break;
    if (text.front() == ',') arrays.emplace_back();
    text.remove_prefix(1);
  }
  return arrays;
}

/// The extents of its letters, in their order.
std::vector<Index> extents_of_result(const Subscripts& text,
                                     const std::vector<StridedArray>& arrays) {
  std::vector<Index> extents;
  for (const char letter : text.result)
    for (std::size_t i = 0; i < arrays.size(); ++i)
      if (const std::size_t at = text.operands.at(i).find(letter); at != std::string::npos) {
        extents.push_back(arrays[i].extents.at(at));
        break;
      }
  return extents;
}

thread_local std::string text_of_problem;

const char* kept(std::string text) {
  text_of_problem = std::move(text);
  return text_of_problem.c_str();
}

}  // namespace

#define JUTE_RACE extern "C" __attribute__((visibility("default")))

/// Why the last call gave nothing.
JUTE_RACE const char* jute_race_error() { return last_error.c_str(); }

/// One for the process; null: jute_race_error says why.
JUTE_RACE void* jute_race_open() {
  return told([]() -> void* {
    ContextOptions options;
    options.device = DeviceChoice::cuda;
    return std::make_unique<Context>(options).release();
  });
}

/// A problem by its text (docs/problem-text.md), planned with such choices; with none they are all
/// the planner's. Null: jute_race_error says why.
JUTE_RACE void* jute_race_prepare(void* context, const char* problem, const char* config) {
  return told([&]() -> void* {
    return std::make_unique<RaceProduct>(
               RaceProduct{prepare(*static_cast<Context*>(context), parse_problem(problem),
                                   parse_config(config))})
        .release();
  });
}

/// The text of a contraction's problem behind the operand that is its A, 0 or 1, and the axes of
/// its result in memory, as Python has them for torch's tensors: `1 2,0,1 M=… `. Arrays are packed
/// bf16. Null: jute_race_error says why.
JUTE_RACE const char* jute_race_contraction(const char* subscripts, const char* extents) {
  return told([&]() -> const char* {
    const Subscripts text = parse_subscripts(subscripts);
    const std::vector<StridedArray> arrays = arrays_of(extents);
    const std::vector<Index> result = extents_of_result(text, arrays);
    std::vector<int> axes = result_axes(text, result, width_bytes(DType::bf16));
    if (axes.empty())
      for (std::size_t i = 0; i < result.size(); ++i) axes.push_back(static_cast<int>(i));
    std::vector<Index> strides(result.size());
    std::string said;
    Index stride = 1;
    for (std::size_t i = axes.size(); i-- > 0; stride *= result[static_cast<std::size_t>(axes[i])])
      strides[static_cast<std::size_t>(axes[i])] = stride;
    for (const int axis : axes) said += (said.empty() ? "" : ",") + std::to_string(axis);
    const Contraction made = contraction(text, arrays, of_bf16(), strides);
    return kept(std::to_string(made.modes.a) + " " + said + " " +
                to_string(completed(made.problem)));
  });
}

/// Likewise of a convolution, whose A is x.
JUTE_RACE const char* jute_race_convolution(const char* words) {
  return told([&]() -> const char* {
    return kept("0 " + to_string(completed(convolution(parse_convolution(words), of_bf16()))));
  });
}

JUTE_RACE long long jute_race_workspace_bytes(const void* product) {
  return static_cast<const RaceProduct*>(product)->gemm.workspace_bytes();
}

/// Before the first run in this workspace.
JUTE_RACE void jute_race_clear(const void* product, unsigned long long workspace) {
  static_cast<const RaceProduct*>(product)->gemm.clear_workspace(workspace);
}

/// `ends` is the list of groups, `scale_a` and `scale_b` what blocks are multiplied by, 0 without.
/// 0: jute_race_error says why.
JUTE_RACE int jute_race_run(const void* product, unsigned long long a, unsigned long long b,
                            unsigned long long d, unsigned long long ends,
                            unsigned long long scale_a, unsigned long long scale_b,
                            unsigned long long workspace, void* stream) {
  return told([&] {
    GemmArgs args{.a = a, .b = b, .d = d, .workspace = workspace, .ends = ends};
    args.scale_a = scale_a, args.scale_b = scale_b;
    args.stream.handle = reinterpret_cast<std::uintptr_t>(stream);
    static_cast<const RaceProduct*>(product)->gemm.run(args);
    return 1;
  });
}
