// Looks for CUDA's headers beside NVRTC, in toolkits and in Python wheels.
#include "jit/cuda_headers.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

#include "jit/nvrtc_search.hpp"

namespace jute::jit {
namespace {

namespace fs = std::filesystem;

/// One part of CUDA's headers: a file that tells it is there, and where releases 12 and 13 put it
/// in a toolkit, in `nvidia/cu13` and in `nvidia`.
struct HeaderPart {
  const char* file;
  std::array<const char*, 3> folders;
};
constexpr std::array kParts{
    HeaderPart{"cuda_fp16.h", {"include", "cuda_runtime/include", ""}},
    HeaderPart{"crt/mma.h", {"include", "cuda_nvcc/include", "cuda_crt/include"}},
    HeaderPart{"cuda/std/type_traits", {"include/cccl", "include", "cuda_cccl/include"}},
};

/// The folders above the library that may be the root of what it is part of.
std::vector<fs::path> roots_of(const std::string& library) {
  std::vector<fs::path> roots;
  std::error_code none;
  fs::path folder = fs::weakly_canonical(library, none).parent_path();
  for (int up = 0; up < 4 && folder.has_relative_path(); ++up, folder = folder.parent_path())
    roots.push_back(folder);
  return roots;
}

std::optional<std::string> folder_of(const HeaderPart& part, const fs::path& root) {
  std::error_code none;
  for (const char* folder : part.folders)
    if (*folder != '\0' && fs::exists(root / folder / part.file, none))
      return (root / folder).string();
  return std::nullopt;
}

/// By CUDART_VERSION, 13000 for 13.0. One that does not tell holds no headers of the run time.
bool is_new_enough(const fs::path& root) {
  const std::string_view definition = "#define CUDART_VERSION";
  for (const char* folder : kParts.front().folders) {
    std::ifstream file(root / folder / "cuda_runtime_api.h");
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(definition)) {
        const std::vector<int> numbers = numbers_in(line.substr(definition.size()));
        return !numbers.empty() &&
               std::pair(numbers[0] / 1000, numbers[0] % 1000 / 10) >= kOldestRelease;
      }
  }
  return false;
}

std::vector<fs::path> other_roots(const NvrtcPlaces& places) {
  std::vector<fs::path> roots = toolkits_in(places);
  std::vector<fs::path> environments = environments_in(places);
  if (!places.built_beside.empty()) environments.emplace_back(places.built_beside);
  for (const fs::path& environment : environments)
    for (const fs::path& wheel : wheels_in(environment)) roots.push_back(wheel);
  std::erase_if(roots, [](const fs::path& root) { return !is_new_enough(root); });
  return roots;
}

}  // namespace

std::vector<std::string> find_headers(const NvrtcPlaces& places, const std::string& library) {
  std::vector<std::string> found;
  const std::vector<fs::path> beside = roots_of(library);
  std::optional<std::vector<fs::path>> others;
  for (const HeaderPart& part : kParts) {
    const auto look = [&](const std::vector<fs::path>& roots) {
      for (const fs::path& root : roots)
        if (const auto folder = folder_of(part, root)) {
          if (std::ranges::find(found, *folder) == found.end()) found.push_back(*folder);
          return true;
        }
      return false;
    };
    if (look(beside)) continue;
    if (!others) others = other_roots(places);
    look(*others);
  }
  return found;
}

}  // namespace jute::jit
