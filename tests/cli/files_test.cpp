// Files that are written completely or not at all.
#include "files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

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
