// Manifests of bundles that anybody may have written.
#include <jute/bundle/bundle.hpp>

#include "fuzz/replay.hpp"
#include "fuzz/targets.hpp"
#include "support/refusal.hpp"

namespace jute::test {

TEST_CASE("manifests and mutations of them are read, or refused by a rule", "[fuzz][manifest]") {
  replay(corpus("corpus_manifest"), dictionary("manifest.dict"), 41, 1000, fuzz_manifest);
}

TEST_CASE("numbers of a manifest that nothing can rest on are refused by their name",
          "[fuzz][manifest][refusal]") {
  const auto read = [](const std::string& manifest) {
    return read_bundle(manifest, "manifest.json",
                       [](const std::string& /*name*/) { return std::vector<std::byte>(); });
  };
  const std::string whole = corpus("corpus_manifest").front();
  CHECK(read(whole).products.size() == 1);
  for (const auto& [from, to, place] :
       {std::tuple{"\"threads\": ", "\"threads\": -", "steps[0].threads"},
        {"\"smem_bytes\": ", "\"smem_bytes\": -1", "images[0].smem_bytes"},
        {"\"image\": ", "\"image\": 9", "targets"},
        {"\"cluster\": [", "\"cluster\": [0, ", "steps[0].cluster"},
        {"\"workspace_bytes\": ", "\"workspace_bytes\": -1", "products[0].workspace_bytes"}}) {
    std::string text = whole;
    const std::size_t at = text.find(from);
    INFO(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, std::string(from).size(), to);
    const Error refused = refusal_of([&] { (void)read(text); });
    CHECK(refused.code == ErrorCode::bad_file);
    CHECK(refused.value.ends_with(place));
  }
}

}  // namespace jute::test
