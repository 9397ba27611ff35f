// Manifests of bundles that anybody may have written.
#include "fuzz/manifest_target.hpp"
#include "fuzz/replay.hpp"
#include "support/refusal.hpp"

namespace jute::test {

TEST_CASE("manifests and mutations of them are read, or refused by a rule",
          "[cli][fuzz][manifest]") {
  replay(corpus("corpus_manifest"), dictionary("manifest.dict"), 41, 1000, fuzz_manifest);
}

TEST_CASE("numbers of a manifest that nothing can rest on are refused by their name",
          "[cli][manifest][refusal]") {
  const TemporaryFolder folder;
  const std::string whole = corpus("corpus_manifest").front();
  CHECK(command::read_bundle(folder_with(folder, whole)).products.size() == 1);
  for (const auto& [from, to] : {std::pair{"\"threads\": ", "\"threads\": -"},
                                 {"\"smem_bytes\": ", "\"smem_bytes\": -1"},
                                 {"\"image\": ", "\"image\": 9"},
                                 {"\"cluster\": [", "\"cluster\": [0, "},
                                 {"\"workspace_bytes\": ", "\"workspace_bytes\": -1"}}) {
    std::string text = whole;
    const std::size_t at = text.find(from);
    INFO(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, std::string(from).size(), to);
    const std::string place = folder_with(folder, text);
    CHECK(refusal_of([&] { (void)command::read_bundle(place); }).code == ErrorCode::bad_file);
  }
}

}  // namespace jute::test
