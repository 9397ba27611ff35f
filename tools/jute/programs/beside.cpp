// Looks beside the program that runs, and beside the library that it is in.
#include "programs/beside.hpp"

#include <dlfcn.h>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>

#include <filesystem>
#include <vector>

namespace jute::command {
namespace {

/// The folder of the library that the command is in, as Python's module; none where it is a
/// program.
std::filesystem::path library_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&library_folder), &info) == 0) return {};
  const std::filesystem::path file = info.dli_fname;
  return file.is_absolute() && file.filename().string().find(".so") != std::string::npos
             ? file.parent_path()
             : std::filesystem::path();
}

}  // namespace

std::string folder_beside(const std::string& folder, const std::string& file,
                          const std::string& target) {
  const std::filesystem::path own = std::filesystem::canonical("/proc/self/exe").parent_path();
  std::vector<std::filesystem::path> folders{own / ".." / folder,
                                             own / JUTE_BESIDE_INSTALLED / folder};
  if (const auto package = library_folder(); !package.empty()) folders.push_back(package / folder);
  std::vector<std::string> places;
  for (const std::filesystem::path& each : folders) {
    const auto place = each.lexically_normal();
    if (std::filesystem::exists(place / file)) return place.string();
    places.push_back(place.string());
  }
  refuse(ErrorCode::no_gpu, file, folder, "it must lie in one of " + joined(places),
         "it must be built before jute is installed: cmake --build BUILD --target " + target +
             ", then cmake --install");
}

}  // namespace jute::command
