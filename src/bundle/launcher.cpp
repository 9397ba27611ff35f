// The files of a bundle: kernels as they were compiled, the launcher from its templates.
#include <jute/base/nearest_name.hpp>
#include <jute/bundle/bundle.hpp>
#include <jute/bundle/lz4_frame.hpp>
#include <jute/emit/filled.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/plan/ask/problem_tensors.hpp>
#include <jute/version.hpp>

#include <algorithm>
#include <cctype>

#include "base/format.hpp"
#include "bundle/embedded_launcher.hpp"
#include "bundle/launcher_tables.hpp"

namespace jute {
namespace {

std::string in_capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string list_of_problems(const Bundle& bundle) {
  std::string text;
  for (size_t i = 0; i < bundle.problems.size(); ++i)
    text += base::format("//   {}  {}\n", i, to_string(bundle.problems[i]));
  return text;
}

/// Names of the numbers of blocks, in their order.
std::vector<std::string> names_of_numbers() {
  std::vector<std::string> names;
  for (const TensorRole role : kAllTensors)
    if (is_of_blocks(role)) names.emplace_back(name(role));
  return names;
}

std::string names_of_tensors() {
  std::string text;
  for (const TensorRole role : kAllTensors)
    text += is_input(role) || is_output(role) ? "    NULL,\n"
                                              : base::format("    \"{}\",\n", name(role));
  return text;
}

HoleValues holes_of(const Bundle& bundle) {
  return {{"name", bundle.name},
          {"guard", in_capitals(bundle.name)},
          {"version", JUTE_VERSION_TEXT},
          {"problems", list_of_problems(bundle)},
          {"problem_count", std::to_string(bundle.problems.size())},
          {"most_inputs", std::to_string(kMostEpilogueInputs)},
          {"most_outputs", std::to_string(kMostEpilogueOutputs)},
          {"tensors", std::to_string(kTensorRoles)},
          {"tensor_names", names_of_tensors()},
          {"number_count", std::to_string(names_of_numbers().size())},
          {"numbers", joined(names_of_numbers())},
          {"viewed", std::ranges::any_of(bundle.problems, bundle::leaves_views_to_runs)
                         ? std::to_string(kViewedTensors)
                         : "0"},
          // CMake fills it in where it reads the file.
          {"folder", "${CMAKE_CURRENT_LIST_DIR}"},
          {"dl", "${CMAKE_DL_LIBS}"},
          {"tables", bundle::launcher_tables(bundle)}};
}

}  // namespace

std::vector<BundleFile> files_of(const Bundle& bundle) {
  std::vector<BundleFile> files;
  for (const BundleImage& image : bundle.images) {
    files.push_back({image.stem + ".ptx", image.ptx});
    if (image.cubin.empty()) continue;
    const std::vector<std::byte> packed = lz4_frame(image.cubin);
    files.push_back(
        {image.stem + ".cubin.lz4", {reinterpret_cast<const char*>(packed.data()), packed.size()}});
  }
  const HoleValues holes = holes_of(bundle);
  for (const bundle::EmbeddedFile& file : bundle::embedded_launcher()) {
    // launcher.h.in becomes NAME.h.
    constexpr std::string_view kStem = "launcher", kEnd = ".in";
    const std::string_view suffix =
        file.path.substr(kStem.size(), file.path.size() - kStem.size() - kEnd.size());
    files.push_back({bundle.name + std::string(suffix), filled({file.path, file.text}, holes)});
  }
  return files;
}

}  // namespace jute
