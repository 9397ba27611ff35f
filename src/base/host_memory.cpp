// The machine's memory and the limits of control groups, of both versions.
#include "base/host_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>

namespace jute::base {
namespace {

namespace fs = std::filesystem;

/// A file with one number; `most` where there is none, or a word such as `max`.
Index number_in(const fs::path& file, Index most) {
  std::ifstream in(file);
  Index number = 0;
  return in >> number && number > 0 ? std::min(number, most) : most;
}

/// The least of a group and those that it lies in. A container may see its own group as the root
/// while its path is told as the host sees it: what is not there sets no limit.
Index least_upward(const fs::path& mount, fs::path group, const char* file, Index most) {
  for (group = group.relative_path(); !group.empty(); group = group.parent_path())
    most = number_in(mount / group / file, most);
  return number_in(mount / file, most);
}

bool has_word(const std::string& list, const std::string& word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

}  // namespace

Index host_memory_bytes(const fs::path& root) {
  Index bytes = Index{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  const fs::path mount = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");
  // number:controllers:path
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) bytes = least_upward(mount, group, "memory.max", bytes);
    if (has_word(controllers, "memory"))
      bytes = least_upward(mount / "memory", group, "memory.limit_in_bytes", bytes);
  }
  return bytes;
}

}  // namespace jute::base
