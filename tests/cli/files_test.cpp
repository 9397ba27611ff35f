// Files that are written completely or not at all.
#include "files/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::command;

TEST_CASE("a file appears under its name only when it is complete", "[cli][files]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("d.npy");
  {
    OutputFile file(path);
    file.write("half of it");
    CHECK_FALSE(std::filesystem::exists(path));
  }
  CHECK(std::filesystem::is_empty(folder.path()));
  OutputFile file(path);
  file.write("all ");
  file.write("of it");
  file.commit();
  CHECK(read_text(path) == "all of it");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("an older file stays as it is until the new one is complete", "[cli][files]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("d.npy");
  for (const std::string_view text : {"old", "new"}) {
    OutputFile file(path);
    file.write(text);
    if (text == "new") CHECK(read_text(path) == "old");
    file.commit();
    CHECK(read_text(path) == text);
  }
}

TEST_CASE("a name that cannot be written is refused at once", "[cli][files][refusal]") {
  const test::TemporaryFolder folder;
  for (const std::string& path : {folder.path().string(), folder.file("no/such/folder/d.npy"),
                                  folder.file("d/"), std::string()}) {
    const Error error = test::refusal_of([&] { return OutputFile(path); });
    CHECK(error.code == ErrorCode::unwritable);
    CHECK(error.violated_rules.size() == 1);
  }
}

TEST_CASE("a device is written in place", "[cli][files]") {
  OutputFile file("/dev/null");
  file.write("text");
  file.commit();
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("a file that is not there differs from one that cannot be read",
          "[cli][files][refusal]") {
  const test::TemporaryFolder folder;
  CHECK(test::refusal_of([&] { return read_bytes(folder.file("none")); }).code ==
        ErrorCode::file_not_found);
  CHECK(test::refusal_of([&] { return read_bytes(folder.path().string()); }).code ==
        ErrorCode::file_unreadable);
}

TEST_CASE("a file keeps its mode, and a link its place", "[cli][files]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("secret.npy"), link = folder.file("link.npy");
  std::ofstream(path) << "old";
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  std::filesystem::create_symlink("secret.npy", link);
  OutputFile file(link);
  file.write("new");
  file.commit();
  CHECK(std::filesystem::is_symlink(link));
  CHECK(read_text(path) == "new");
  CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms(0600));
  const std::string broken = folder.file("broken");
  std::filesystem::create_symlink("later", broken);
  OutputFile target(broken);
  target.write("text");
  target.commit();
  CHECK(read_text(folder.file("later")) == "text");
}

TEST_CASE("neither a device nor a pipe without a writer is waited for", "[cli][files][refusal]") {
  const test::TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& path : {std::string("/dev/zero"), pipe})
    CHECK(test::refusal_of([&] { return read_bytes(path); }).code == ErrorCode::file_unreadable);
}

TEST_CASE("a pipe that is written is read to its end", "[cli][files]") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (int i = 0; i < 100; ++i) CHECK(::write(ends[1], "0123456789", 10) == 10);
    ::close(ends[1]);
  });
  CHECK(read_text("/dev/fd/" + std::to_string(ends[0])).size() == 1000);
  writer.join();
  ::close(ends[0]);
}

TEST_CASE("a misspelled file is told with the nearest one beside it", "[cli][files][refusal]") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("matrix.npy")) << "x";
  CHECK(test::refusal_of([&] { return read_bytes(folder.file("matrx.npy")); }).nearest_legal ==
        folder.file("matrix.npy"));
  // No folder in the place of a file.
  std::filesystem::create_directory(folder.file("tables"));
  CHECK_FALSE(test::refusal_of([&] { return read_bytes(folder.file("table")); }).nearest_legal);
}
