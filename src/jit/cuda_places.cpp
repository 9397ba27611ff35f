// The places of CUDA, from the environment, from where this program lies, and from how it was
// built.
#include "jit/cuda_places.hpp"

#include <dlfcn.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

namespace jute::jit {

/// Written by the build (cmake/environment.cmake).
extern const char kEnvironmentBuiltBeside[];

namespace {

namespace fs = std::filesystem;

bool only_we_could_have_written(const fs::path& folder) {
  struct stat status;
  return ::stat(folder.c_str(), &status) == 0 &&
         (status.st_uid == 0 || status.st_uid == ::geteuid()) && (status.st_mode & S_IWOTH) == 0;
}

}  // namespace

std::vector<std::string> NvrtcPlaces::folders_above_this_program() {
  Dl_info self;
  std::error_code error;
  if (::dladdr(reinterpret_cast<const void*>(&only_we_could_have_written), &self) == 0) return {};
  fs::path folder = fs::canonical(self.dli_fname, error).parent_path();
  // A static program started through PATH has no folder in dli_fname.
  if (error) folder = fs::canonical("/proc/self/exe", error).parent_path();
  std::vector<std::string> folders;
  for (; !error && folder.has_relative_path(); folder = folder.parent_path())
    if (only_we_could_have_written(folder)) folders.push_back(folder.string());
  return folders;
}

std::string NvrtcPlaces::environment_built_beside() {
  const fs::path environment = kEnvironmentBuiltBeside;
  const bool is_ours = !environment.empty() && only_we_could_have_written(environment) &&
                       only_we_could_have_written(environment.parent_path());
  return is_ours ? environment.string() : std::string();
}

std::vector<int> numbers_in(const std::string& text) {
  constexpr const char* kDigits = "0123456789";
  std::vector<int> numbers;
  for (size_t at = text.find_first_of(kDigits); at != std::string::npos;) {
    const size_t end = std::min(text.find_first_not_of(kDigits, at), text.size());
    int number = 0;
    std::from_chars(text.data() + at, text.data() + end, number);
    numbers.push_back(number);
    at = text.find_first_of(kDigits, end);
  }
  return numbers;
}

std::vector<fs::path> matches(const fs::path& pattern) {
  std::error_code ignored;
  if (pattern.string().find('*') == std::string::npos)
    return fs::exists(pattern, ignored) ? std::vector{pattern} : std::vector<fs::path>{};
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(pattern.parent_path(), ignored))
    if (::fnmatch(pattern.filename().c_str(), entry.path().filename().c_str(), FNM_PERIOD) == 0)
      found.push_back(entry.path());
  std::ranges::sort(found, [](const fs::path& left, const fs::path& right) {
    const std::string a = left.filename().string();
    const std::string b = right.filename().string();
    return std::pair(numbers_in(a), a) > std::pair(numbers_in(b), b);
  });
  return found;
}

std::vector<fs::path> toolkits_in(const NvrtcPlaces& places) {
  std::vector<fs::path> roots;
  if (!places.cuda_home.empty()) roots.emplace_back(places.cuda_home);
  for (const std::string& pattern : places.toolkits)
    for (const fs::path& root : matches(pattern)) roots.push_back(root);
  return roots;
}

std::vector<fs::path> environments_in(const NvrtcPlaces& places) {
  std::vector<fs::path> environments;
  for (const std::string& folder : places.project_folders) {
    std::error_code ignored;
    fs::path environment = fs::path(folder) / ".venv";
    if (fs::is_directory(environment, ignored)) environments.push_back(std::move(environment));
  }
  if (!places.virtual_env.empty()) environments.emplace_back(places.virtual_env);
  return environments;
}

std::vector<fs::path> wheels_in(const fs::path& environment) {
  std::vector<fs::path> folders;
  for (const fs::path& python : matches(environment / "lib" / "python3*")) {
    const fs::path packages = python / "site-packages" / "nvidia";
    for (const fs::path& wheel : matches(packages / "cu[0-9]*")) folders.push_back(wheel);
    std::error_code ignored;
    if (fs::is_directory(packages, ignored)) folders.push_back(packages);
  }
  return folders;
}

std::vector<std::string> described(const NvrtcPlaces& places) {
  if (!places.library.empty()) return {places.library};
  std::vector<std::string> list;
  if (!places.cuda_home.empty()) list.push_back(places.cuda_home);
  list.insert(list.end(), places.toolkits.begin(), places.toolkits.end());
  for (const std::string& folder : places.project_folders) list.push_back(folder + "/.venv");
  if (!places.virtual_env.empty()) list.push_back(places.virtual_env);
  list.emplace_back("the dynamic loader's path");
  if (!places.built_beside.empty()) list.push_back(places.built_beside);
  return list;
}

}  // namespace jute::jit
