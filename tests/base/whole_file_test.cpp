// A file is there with all its bytes, or nothing is.
#include "base/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::base;
using jute::test::TemporaryFolder;

namespace {

int write_mode(const std::string& path, std::string_view text, mode_t mode = 0666) {
  return write_whole({AT_FDCWD, path, path + ".part-", mode},
                     std::as_bytes(std::span(text.data(), text.size())));
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

size_t files_in(const TemporaryFolder& folder) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder.path()),
                                           std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("a file is replaced whole, and nothing else is left", "[file]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("k.cu");
  CHECK(write_mode(path, "first and long") == 0);
  CHECK(write_mode(path, "") == 0);
  CHECK(read(path).empty());
  CHECK(write_mode(path, std::string("a\0b", 3)) == 0);
  CHECK(read(path) == std::string("a\0b", 3));
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a file has the mode that is asked for, and a link of its name is replaced", "[file]") {
  const TemporaryFolder folder;
  const std::string victim = folder.file("victim"), path = folder.file("link");
  REQUIRE(write_mode(victim, "kept", 0600) == 0);
  struct stat status {};
  REQUIRE(stat(victim.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  std::filesystem::create_symlink(victim, path);
  CHECK(write_mode(path, "new") == 0);
  CHECK(read(victim) == "kept");
  CHECK(!std::filesystem::is_symlink(path));
}

TEST_CASE("names are looked up in the folder that was opened, wherever it goes", "[file]") {
  const TemporaryFolder folder;
  const std::filesystem::path before = folder.path() / "before", after = folder.path() / "after";
  std::filesystem::create_directory(before);
  const int opened = open(before.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  REQUIRE(opened >= 0);
  std::filesystem::rename(before, after);
  const std::string_view text = "entry";
  CHECK(write_whole({opened, "k", ".new-", 0600, Durable::yes},
                    std::as_bytes(std::span(text.data(), text.size()))) == 0);
  CHECK(close(opened) == 0);
  CHECK(read(after / "k") == "entry");
}

TEST_CASE("what cannot be written is told, and leaves nothing behind", "[file]") {
  const TemporaryFolder folder;
  CHECK(write_mode(folder.file("none/k"), "x") == ENOENT);
  // A folder has the name: the file in the making is there, and cannot take it.
  std::filesystem::create_directory(folder.path() / "k");
  CHECK(write_mode(folder.file("k"), "x") == EISDIR);
  CHECK(files_in(folder) == 1);
}

TEST_CASE("writers of one name at a time leave one of their files", "[file]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("k");
  std::vector<std::thread> writers;
  std::vector<int> faults(4, -1);
  for (size_t i = 0; i < faults.size(); ++i)
    writers.emplace_back([&, i] {
      faults[i] = 0;
      for (int n = 0; n < 20; ++n)
        faults[i] |= write_mode(path, std::string(5000, static_cast<char>('a' + i)));
    });
  for (std::thread& writer : writers) writer.join();
  CHECK(faults == std::vector<int>(4, 0));
  const std::string text = read(path);
  CHECK(text == std::string(5000, text.at(0)));
  CHECK(files_in(folder) == 1);
}
