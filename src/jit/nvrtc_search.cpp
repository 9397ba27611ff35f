// Looks for NVRTC in toolkits, Python wheels and on the loader's path.
#include "jit/nvrtc_search.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "jit/elf_file.hpp"

namespace jute::jit {
namespace {

namespace fs = std::filesystem;

/// From the file's name where that tells it ("libnvrtc.so.13", "libnvrtc.so.12.8.93"), else from
/// the library itself. Nothing: it does not answer, and whoever loads it will hear why.
std::optional<std::pair<int, int>> release_of(const fs::path& path,
                                              const base::LibraryLoader& loader) {
  const std::string file = path.filename().string();
  const std::vector<int> numbers =
      file.starts_with("libnvrtc.so") ? numbers_in(file) : std::vector<int>{};
  const bool is_told =
      numbers.size() > 1 || (numbers.size() == 1 && numbers[0] != kOldestRelease.first);
  if (is_told) return std::pair(numbers[0], numbers.size() > 1 ? numbers[1] : 0);
  void* const library = loader.open(path.string());
  if (library == nullptr) return std::nullopt;
  using Version = int (*)(int*, int*);
  const auto ask = reinterpret_cast<Version>(loader.symbol(library, "nvrtcVersion"));
  int major = 0, minor = 0;
  if (ask == nullptr || ask(&major, &minor) != kNvrtcSuccess) return std::nullopt;
  return std::pair(major, minor);
}

std::optional<NvrtcFile> usable_library(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  // Opening a pipe would wait for who writes into it.
  if (error || !fs::is_regular_file(real, error)) return std::nullopt;
  const auto elf = read_elf_file(real.string());
  if (!elf || !is_for_this_machine(*elf)) return std::nullopt;
  return NvrtcFile{real.string(), elf->build_id};
}

/// Collects the folders looked at, and the libraries passed over, while it looks.
class Search {
 public:
  explicit Search(const base::LibraryLoader& loader) : loader_(loader) {}

  [[nodiscard]] const std::vector<std::string>& looked() const { return looked_; }
  [[nodiscard]] const std::vector<std::string>& too_old() const { return too_old_; }
  void note(const std::string& place) {
    if (std::ranges::find(looked_, place) == looked_.end()) looked_.push_back(place);
  }

  /// The library, if it is one of this machine and new enough.
  std::optional<NvrtcFile> library(const fs::path& path) {
    auto found = usable_library(path);
    if (!found) return std::nullopt;
    const auto release = release_of(found->path, loader_);
    if (!release || *release >= kOldestRelease) return found;
    const std::string line = found->path + " (" + std::to_string(release->first) + "." +
                             std::to_string(release->second) + ")";
    if (std::ranges::find(too_old_, line) == too_old_.end()) too_old_.push_back(line);
    return std::nullopt;
  }

  std::optional<NvrtcFile> folder(const fs::path& pattern) {
    note(pattern.string());
    for (const fs::path& folder : matches(pattern))
      for (const char* file : {"libnvrtc.so.*", "libnvrtc.so"})
        for (const fs::path& candidate : matches(folder / file))
          if (auto found = library(candidate)) return found;
    return std::nullopt;
  }

  std::optional<NvrtcFile> toolkit(const fs::path& root) {
    if (auto found = folder(root / "lib64")) return found;
    for (const fs::path& target : matches(root / "targets" / "*"))
      if (auto found = folder(target / "lib")) return found;
    return std::nullopt;
  }

  std::optional<NvrtcFile> environment(const fs::path& root) {
    note((root / "lib/python3*/site-packages/nvidia/{cu*,cuda_nvrtc}/lib").string());
    for (const fs::path& wheel : wheels_in(root))
      for (const char* below : {"lib", "cuda_nvrtc/lib"})
        if (auto found = folder(wheel / below)) return found;
    return std::nullopt;
  }

  /// Whatever the loader itself finds under the usual names.
  std::optional<NvrtcFile> loaders_path() {
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
      if (void* opened = loader_.open(name))
        if (auto found = library(loader_.path_of(opened))) return found;
    note("the dynamic loader's path");
    return std::nullopt;
  }

 private:
  const base::LibraryLoader& loader_;
  std::vector<std::string> looked_;
  std::vector<std::string> too_old_;
};

std::optional<NvrtcFile> find_installed(const NvrtcPlaces& places, Search& search) {
  for (const fs::path& root : toolkits_in(places))
    if (auto found = search.toolkit(root)) return found;
  for (const std::string& pattern : places.toolkits)
    if (matches(pattern).empty()) search.note(pattern);
  for (const fs::path& environment : environments_in(places))
    if (auto found = search.environment(environment)) return found;
  return std::nullopt;
}

[[noreturn]] void throw_not_found(const std::string& library, const Search& search) {
  std::string detail;
  if (!search.too_old().empty()) detail += "older than 12.8:\n";
  for (const std::string& line : search.too_old()) detail += "  " + line + "\n";
  detail += "looked in:\n";
  for (const std::string& place : search.looked()) detail += "  " + place + "\n";
  detail +=
      "Install it with `pip install nvidia-cuda-nvrtc` in a virtual environment, or a CUDA "
      "toolkit, or set JUTE_NVRTC to the file.\n";
  throw Exception(
      {.code = ErrorCode::no_nvrtc,
       .operand = "nvrtc",
       .value = library,
       .violated_rules = {!search.too_old().empty() ? "NVRTC must be 12.8 or newer"
                          : library.empty()
                              ? "NVRTC, CUDA's run-time compiler, must be installed"
                              : "the path must name a loadable libnvrtc for this machine"},
       .detail = detail});
}

}  // namespace

NvrtcFile find_nvrtc(const NvrtcPlaces& places, const base::LibraryLoader& loader) {
  Search search(loader);
  std::error_code ignored;
  if (!places.library.empty()) {
    auto found = fs::is_directory(places.library, ignored) ? search.folder(places.library)
                                                           : search.library(places.library);
    search.note(places.library);
    if (!found) throw_not_found(places.library, search);
    return *found;
  }
  if (auto found = find_installed(places, search)) return *found;
  if (auto found = search.loaders_path()) return *found;
  if (!places.built_beside.empty())
    if (auto found = search.environment(places.built_beside)) return *found;
  throw_not_found({}, search);
}

}  // namespace jute::jit
