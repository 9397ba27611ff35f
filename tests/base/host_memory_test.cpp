// Memory that a process may have: the machine's, or what its control groups leave of it.
#include "base/host_memory.hpp"

#include <unistd.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using jute::Index;
using jute::base::host_memory_bytes;
using jute::test::TemporaryFolder;

namespace {

struct Machine {
  const char* what;
  std::string groups;                                      ///< /proc/self/cgroup
  std::vector<std::pair<const char*, const char*>> files;  ///< below /sys/fs/cgroup
  Index bytes;                                             ///< 0: all that the machine has
};

const std::vector<Machine> kMachines{
    {"no control groups", "", {}, 0},
    {"a line that is none", "0:\n::\nmemory\n", {{"memory.max", "4096\n"}}, 4096},
    {"version 2, a limit of its own", "0::/a\n", {{"a/memory.max", "1048576\n"}}, 1048576},
    {"version 2, no limit", "0::/a\n", {{"a/memory.max", "max\n"}}, 0},
    {"version 2, the parent's is less",
     "0::/a/b\n",
     {{"a/b/memory.max", "2097152\n"}, {"a/memory.max", "1048576\n"}},
     1048576},
    {"a container that sees its own group as the root",
     "0::/docker/0123\n",
     {{"memory.max", "1048576\n"}},
     1048576},
    {"version 1",
     "9:name=systemd:/\n4:cpu,memory:/a\n0::/\n",
     {{"memory/a/memory.limit_in_bytes", "1048576\n"}, {"a/memory.max", "4096\n"}},
     1048576},
    {"version 1, no limit",
     "4:memory:/a\n",
     {{"memory/a/memory.limit_in_bytes", "9223372036854771712\n"}},
     0},
    {"a group of another kind",
     "4:memory_like:/a\n",
     {{"memory/a/memory.limit_in_bytes", "7\n"}},
     0},
};

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("a container has the memory that its control groups leave it", "[base][memory]") {
  const Index all = Index{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  for (const Machine& machine : kMachines) {
    INFO(machine.what);
    const TemporaryFolder root;
    write(root.path() / "proc/self/cgroup", machine.groups);
    for (const auto& [name, text] : machine.files)
      write(root.path() / "sys/fs/cgroup" / name, text);
    CHECK(host_memory_bytes(root.path()) == (machine.bytes == 0 ? all : machine.bytes));
  }
  CHECK(host_memory_bytes() > 0);
  CHECK(host_memory_bytes() <= all);
}
