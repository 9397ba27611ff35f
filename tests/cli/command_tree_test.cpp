// The tree of commands: complete, and in step with what is parsed.
#include "tree/command_tree.hpp"

#include <algorithm>
#include <set>

#include "cli/command.hpp"
#include "command/command_line.hpp"
#include "tree/parser.hpp"

using namespace jute;
using namespace jute::command;
using jute::test::command_words;

namespace {

/// Every command below `command`, and itself.
template <class Visit>
void walk(const Command& command, Visit visit) {
  visit(command);
  for (const Command& below : command.commands) walk(below, visit);
}

const Command& below(const Command& command, std::string_view name) {
  const auto found = std::ranges::find(command.commands, name, &Command::name);
  REQUIRE(found != command.commands.end());
  return *found;
}

const Option& option(const Command& command, std::string_view name) {
  const auto found = std::ranges::find_if(command.options, [&](const Option& candidate) {
    return std::ranges::count(candidate.names, name) > 0;
  });
  REQUIRE(found != command.options.end());
  return *found;
}

}  // namespace

TEST_CASE("the example of a command is a command line that names it", "[cli][usage]") {
  CommonOptions common;
  const Command root = jute_command(common);
  walk(root, [&](const Command& command) {
    INFO(command.example);
    std::vector<std::string> words = command_words(command.example);
    REQUIRE(words.at(0) == "jute");
    words.erase(words.begin());
    const Request request = parse(root, "", words);
    CHECK(request.kind == Request::Kind::run);
    CHECK(request.text.empty());
    // A command that only gathers others shows one of those.
    std::vector<const Command*> shown{&command};
    for (const Command& candidate : command.commands) shown.push_back(&candidate);
    CHECK(std::ranges::count(shown, request.command) == 1);
  });
}

TEST_CASE("every command and option says what it is, under names of its own", "[cli][usage]") {
  CommonOptions common;
  const Command root = jute_command(common);
  walk(root, [&](const Command& command) {
    INFO(command.name);
    CHECK_FALSE(command.description.empty());
    CHECK(bool(command.run) == command.commands.empty());
    std::set<std::string> names;
    for (const Option& each : command.options) {
      CHECK_FALSE(each.description.empty());
      CHECK(each.type_name.empty() == each.is_flag());
      for (const std::string& name : each.names) CHECK(names.insert(name).second);
    }
    for (const Option& each : command.options)
      for (const std::string& other : each.excludes) CHECK(names.contains(other));
  });
}

TEST_CASE("a command lists the shared options that do something in it, and no others",
          "[cli][usage]") {
  CommonOptions common;
  const Command root = jute_command(common);
  const auto listed = [&](const PlacedCommand& placed, std::string_view name) {
    return std::ranges::any_of(placed.options, [&](const Option* one) {
      return std::ranges::find(one->names, name) != one->names.end();
    });
  };
  for (const PlacedCommand& placed : all_commands(root)) {
    INFO(placed.line);
    for (const char* name : {"--atoms", "--templates", "--verbose"})
      if (placed.command.run)
        CHECK(listed(placed, name) == (std::ranges::count(placed.command.reads, name) == 1));
    CHECK(listed(placed, "--json"));
  }
  CHECK(listed(placed_in(root, root), "--verbose"));
  CHECK_FALSE(listed(placed_in(root, below(root, "completion")), "--verbose"));
}

TEST_CASE("the tree tells types, defaults, allowed values and exclusions", "[cli][usage]") {
  CommonOptions common;
  const Command root = jute_command(common);
  const Command& gemm = below(root, "gemm");
  CHECK(option(gemm, "--m").type_name == "INT");
  CHECK(option(gemm, "--random").type_name == "SEED");
  CHECK(std::holds_alternative<NonNegative>(option(gemm, "--random").allowed));
  CHECK(std::holds_alternative<Limit>(option(gemm, "--max-memory").allowed));
  CHECK(option(gemm, "--alpha").type_name == "FLOAT");
  CHECK(option(gemm, "--alpha").default_text == "1");
  CHECK(std::get<Range>(option(gemm, "--repeat").allowed).most == 1000000);
  CHECK(std::get<Words>(option(gemm, "--order-a").allowed) == Words{"row", "col"});
  CHECK(option(gemm, "--output").names == std::vector<std::string>{"-o", "--output"});
  CHECK(option(gemm, "--verify").is_flag());
  CHECK(option(below(root, "draw"), "--banks").excludes == std::vector<std::string>{"--tv"});
  CHECK(option(below(root, "explain"), "layout").is_required);
  CHECK_FALSE(option(below(root, "emulate"), "file").is_required);  // --list needs none
}

TEST_CASE("a parsed command has its options filled in, and so have those above it",
          "[cli][usage]") {
  CommonOptions common;
  const Command root = jute_command(common);
  const Request request = parse(root, "", {"--quiet", "atom", "list", "--json", "--arch", "sm_80"});
  CHECK(request.kind == Request::Kind::run);
  CHECK(request.command == &below(below(root, "atom"), "list"));
  CHECK(common.quiet);
  CHECK(common.json);
  CHECK(*std::get<std::string*>(option(*request.command, "--arch").target) == "sm_80");
}
