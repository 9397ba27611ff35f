// One meaning a word: what a header names, no other layer's header names too.
#include <map>
#include <regex>
#include <set>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

/// Where each type is declared that stands in a header outside all others: name -> layers.
std::map<std::string, std::set<std::string>> declared_types() {
  static const std::regex kType(R"(^(?:struct|class|enum class) (\w+)(?: final)?(?: :.*)? ?\{.*)");
  static const std::regex kAlias(R"(^using (\w+) =.*)");
  std::map<std::string, std::set<std::string>> types;
  for (const char* folder : {"include/jute", "src"})
    for (const auto& file : source_files(folder)) {
      if (!file.path.ends_with(".hpp")) continue;
      for (const std::string& line : file.lines)
        if (std::smatch found;
            std::regex_match(line, found, kType) || std::regex_match(line, found, kAlias))
          types[found[1]].insert(layer_of(file));
    }
  return types;
}

/// Two meanings that stay, each with its reason.
const std::map<std::string, std::string> kTwice{
    {"Major", "the emulator reads descriptors by the PTX manual and does not see atoms"},
    {"Block", "in planning what one does, in counts, and in the emulator one that runs"},
    {"Kernel", "a loaded kernel, and in codegen one that is being written"},
};

}  // namespace

TEST_CASE("a type's name means one thing in all layers", "[architecture]") {
  std::map<std::string, std::set<std::string>> ambiguous;
  for (const auto& [name, layers] : declared_types())
    if (layers.size() > 1 && !kTwice.contains(name)) ambiguous[name] = layers;
  CHECK(ambiguous == decltype(ambiguous){});
}

TEST_CASE("an exception that is no longer needed goes", "[architecture]") {
  const auto types = declared_types();
  for (const auto& [name, reason] : kTwice) {
    INFO(name << ": " << reason);
    CHECK((types.contains(name) && types.at(name).size() > 1));
  }
}

TEST_CASE("a fragment is the registers of a thread, a slot where the emulator keeps one",
          "[architecture]") {
  const auto types = declared_types();
  CHECK(types.at("Fragment") == std::set<std::string>{"plan"});
  CHECK(types.at("Slot") == std::set<std::string>{"emulator"});
}

}  // namespace jute::test
