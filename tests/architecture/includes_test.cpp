// The #include lines of the tree against the table of layers.
#include <algorithm>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

Table allowed_includes() { return read_table("src/layers.txt"); }

/// "layout" for <jute/layout/layout.hpp> and for "layout/notation.hpp"; empty for <vector>.
std::string layer_included(const Include& include) {
  std::string target = include.target;
  if (target == "jute/version.hpp") return {};  // numbers that no layer owns
  if (target == "jute/jute.h") return "c";      // where every C library has its header
  if (target.starts_with("jute/"))
    target.erase(0, 5);
  else if (!include.quoted)
    return {};
  return target.substr(0, target.find('/'));
}

bool starts_with_any(const std::string& text, const std::vector<std::string>& heads) {
  for (const auto& head : heads)
    if (text.starts_with(head)) return true;
  return false;
}

/// One line for each #include below `folder` that `is_allowed` refuses.
template <class Predicate>
std::vector<std::string> refused(const std::string& folder, Predicate is_allowed) {
  std::vector<std::string> lines;
  for (const auto& file : source_files(folder))
    for (const auto& include : file.includes)
      if (!is_allowed(file, include)) lines.push_back(file.path + " includes " + include.target);
  return lines;
}

}  // namespace

TEST_CASE("the table of layers names layers that exist, each below those that include it",
          "[architecture]") {
  const Table layers = allowed_includes();
  REQUIRE(layers.size() == 26);
  for (const auto& [layer, targets] : layers)
    for (const auto& target : targets) {
      INFO(layer << " -> " << target);
      REQUIRE(layers.contains(target));
      if (target != layer) CHECK_FALSE(layers.at(target).contains(layer));
    }
}

/// What every layer writes text and files and loads libraries with, and the driver's functions.
/// {fmt} and what the driver takes may not show in installed headers.
bool is_shared_tool(const std::string& target) {
  return target == "base/format.hpp" || target == "base/library_loader.hpp" ||
         target == "base/whole_file.hpp" || target == "base/host_memory.hpp" ||
         target == "base/sha256.hpp" || target == "base/own_stack.hpp" ||
         target == "base/fork_gate.hpp" || target == "driver/driver.hpp";
}

TEST_CASE("a layer reads another by its public headers", "[architecture]") {
  CHECK(refused("src", [](const SourceFile& file, const Include& include) {
          return !include.quoted || is_shared_tool(include.target) ||
                 layer_included(include) == layer_of(file);
        }) == kNothing);
}

TEST_CASE("the table of layers allows nothing that nobody uses", "[architecture]") {
  Table used;
  for (const char* folder : {"src", "include/jute"})
    for (const auto& file : source_files(folder))
      for (const auto& include : file.includes)
        used[layer_of(file)].insert(layer_included(include));
  // Tests are linked with their row: what a layer's own layers use stands in it too.
  const Table layers = allowed_includes();
  const auto is_used = [&](const std::string& layer, const std::string& target) {
    return used[layer].contains(target) ||
           std::ranges::any_of(used[layer], [&](const std::string& below) {
             return layers.contains(below) && below != layer && layers.at(below).contains(target);
           });
  };
  std::vector<std::string> idle;
  for (const auto& [layer, targets] : layers)
    for (const auto& target : targets)
      if (target != layer && !is_used(layer, target)) idle.push_back(layer + " -> " + target);
  CHECK(idle == kNothing);
}

TEST_CASE("each layer includes only the layers that the table allows", "[architecture]") {
  const Table layers = allowed_includes();
  const auto is_allowed = [&](const SourceFile& file, const Include& include) {
    const std::string target = layer_included(include);
    const std::string layer = layer_of(file);
    if (target.empty() || layer.empty()) return target.empty() || file.path.ends_with("/jute.hpp");
    return layers.contains(layer) && layers.at(layer).contains(target);
  };
  CHECK(refused("src", is_allowed) == kNothing);
  CHECK(refused("include/jute", is_allowed) == kNothing);
}

TEST_CASE("public headers include public headers and the standard library only", "[architecture]") {
  CHECK(refused("include/jute", [](const SourceFile&, const Include& include) {
          if (include.quoted) return false;
          return include.target.starts_with("jute/") ||
                 include.target.find('/') == std::string::npos;
        }) == kNothing);
}

TEST_CASE("a public header opens jute's namespace as one that a shared jute offers",
          "[architecture]") {
  std::vector<std::string> hidden;
  for (const auto& file : source_files("include/jute")) {
    if (file.path.find("/detail/") != std::string::npos) continue;
    if (std::ranges::any_of(file.lines, [](const std::string& line) {
          return line.starts_with("namespace ") && !line.starts_with("namespace JUTE_API ");
        }))
      hidden.push_back(file.path);
  }
  CHECK(hidden == kNothing);
}

TEST_CASE("the library uses neither the command's packages nor vendor headers", "[architecture]") {
  CHECK(refused("src", [](const SourceFile&, const Include& include) {
          return !starts_with_any(include.target, {"CLI/", "nlohmann/", "catch2/", "cuda", "nvrtc",
                                                   "cublas", "cute/", "cutlass/"});
        }) == kNothing);
}

TEST_CASE("the command and the program that races use the public headers only", "[architecture]") {
  for (const char* folder : {"tools/jute", "tools/race", "tools/bench"})
    CHECK(refused(folder, [](const SourceFile&, const Include& include) {
            if (!include.quoted) return include.target.find("/detail/") == std::string::npos;
            return std::filesystem::exists(repository() / "tools/jute" / include.target) ||
                   std::filesystem::exists(repository() / "tools" / include.target);
          }) == kNothing);
}

TEST_CASE("the stand-in driver uses public headers and a driver's types", "[architecture]") {
  CHECK(refused("tools/stand_in", [](const SourceFile&, const Include& include) {
          if (!include.quoted) return include.target.find("/detail/") == std::string::npos;
          return include.target == "driver/driver_types.hpp" ||
                 std::filesystem::exists(repository() / "tools/stand_in" / include.target);
        }) == kNothing);
}

TEST_CASE("no header of the command includes a heavy one", "[architecture]") {
  CHECK(refused("tools/jute", [](const SourceFile& file, const Include& include) {
          return !file.path.ends_with(".hpp") ||
                 (include.target != "nlohmann/json.hpp" && !include.target.starts_with("CLI/"));
        }) == kNothing);
}

TEST_CASE("one file of the command knows the library that reads its arguments", "[architecture]") {
  CHECK(refused("tools/jute", [](const SourceFile& file, const Include& include) {
          return !include.target.starts_with("CLI/") || file.path == "tools/jute/tree/parser.cpp";
        }) == kNothing);
}

}  // namespace jute::test
