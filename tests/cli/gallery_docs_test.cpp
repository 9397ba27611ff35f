// docs/gallery.md: every line runs, and draws the picture below it.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/command.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

const std::string kGalleryPage = JUTE_SOURCE_DIR "/docs/gallery.md";
const std::string kGalleryPictures = JUTE_SOURCE_DIR "/docs/images/gallery/";

/// The file names behind `before` in the page's lines, up to `after`.
std::set<std::string> names_between(const std::string& before, const std::string& after) {
  std::set<std::string> names;
  std::istringstream page(command::read_text(kGalleryPage));
  for (std::string line; std::getline(page, line);) {
    const size_t at = line.find(before);
    if (at == std::string::npos) continue;
    const size_t begin = at + before.size();
    names.insert(line.substr(begin, line.find(after, begin) - begin));
  }
  return names;
}

}  // namespace

TEST_CASE("each line of the gallery draws the picture below it", "[cli][docs][golden]") {
  const TemporaryFolder folder;
  std::set<std::string> drawn;
  std::istringstream page(command::read_text(kGalleryPage));
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("    $ jute ")) continue;
    const std::vector<std::string> words = command_words(line.substr(11));
    const ProcessResult result = run_jute(words, {.folder = folder.path().string()});
    INFO(line << "\n" << result.err);
    REQUIRE(result.status == 0);
    const std::string file = words.back();
    const std::string picture = command::read_text(folder.file(file));
    if (!file.ends_with(".svg")) continue;
    if (std::getenv("JUTE_UPDATE_GOLDEN") != nullptr)
      std::ofstream(kGalleryPictures + file) << picture;
    CHECK(picture == command::read_text(kGalleryPictures + file));
    drawn.insert(file);
  }
  CHECK(drawn.size() > 25);
  CHECK(drawn == names_between("](images/gallery/", ")"));
  std::set<std::string> kept;
  for (const auto& entry : std::filesystem::directory_iterator(kGalleryPictures))
    kept.insert(entry.path().filename().string());
  CHECK(drawn == kept);
}
