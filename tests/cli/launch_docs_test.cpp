// The page of launch files, their schema and the examples agree.
#include <filesystem>
#include <sstream>

#include "cli/command.hpp"
#include "cli/json_schema.hpp"
#include "emulate/launch/launch_file.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;
using command::read_text;

namespace {

const std::string kLaunchPage = JUTE_SOURCE_DIR "/docs/launch.md";

/// The fenced JSON blocks of the page.
std::vector<std::string> json_blocks() {
  const std::string page = read_text(kLaunchPage);
  std::vector<std::string> blocks;
  const std::string opening = "```json\n";
  for (size_t at = 0; (at = page.find(opening, at)) != std::string::npos;) {
    at += opening.size();
    const size_t end = page.find("```", at);
    blocks.push_back(page.substr(at, end - at));
  }
  return blocks;
}

JsonSchema launch_schema() {
  return JsonSchema(read_text(JUTE_SOURCE_DIR "/docs/schemas/launch.schema.json"));
}

bool is_read(const std::string& text) {
  try {
    (void)command::parse_launch_file(text, "launch.json");
    return true;
  } catch (const Exception&) {
    return false;
  }
}

}  // namespace

TEST_CASE("the page of launch files shows the examples as they stand in the tree", "[cli][docs]") {
  const std::string page = read_text(kLaunchPage);
  const std::string example = read_text(JUTE_SOURCE_DIR "/examples/emulate/launches.json");
  CHECK(page.find("```json\n" + example + "```") != std::string::npos);
}

TEST_CASE("the schema accepts every launch file of the tree and of the page", "[cli][docs]") {
  const JsonSchema schema = launch_schema();
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(JUTE_SOURCE_DIR "/examples/emulate"))
    if (entry.path().extension() == ".json") {
      INFO(entry.path());
      CHECK(schema.accepts(nlohmann::json::parse(read_text(entry.path().string()))));
      ++files;
    }
  CHECK(files >= 2);
  for (const std::string& block : json_blocks()) {
    INFO(block);
    CHECK(schema.accepts(nlohmann::json::parse(block)));
    CHECK(is_read(block));
  }
}

TEST_CASE("what the schema refuses the reader refuses, and every kind of argument passes both",
          "[cli][docs]") {
  const JsonSchema schema = launch_schema();
  const std::string head = R"({"launches": [{"kernel": "k", "grid": 1, "block": 32, "args": [)";
  const std::string tail = R"(]}], "buffers": {"x": {"dtype": "f32", "shape": 4}}})";
  const auto both = [&](const std::string& argument) {
    const std::string text = head + argument + tail;
    const bool is_accepted = schema.accepts(nlohmann::json::parse(text));
    INFO(argument);
    CHECK(is_read(text) == is_accepted);
    return is_accepted;
  };
  for (const char* good :
       {"null", "\"x\"", "5", "-1.5", "true", R"({"kind": "buffer", "of": "x", "offset_bytes": 4})",
        R"({"kind": "scalar", "dtype": "bf16", "value": "nan"})",
        R"({"kind": "bytes", "hex": "00Ff"})", R"({"kind": "struct", "fields": ["x", null]})",
        R"({"kind": "tmap", "of": "x", "dtype": "f32", "dims": [4], "strides_bytes": [],
            "box": [4], "swizzle": "none", "oob": "nan"})",
        R"({"kind": "texture", "of": "x", "texel": "f32", "extents": [2, 2], "filter": "linear",
            "addressing": "wrap", "normalized": true})"})
    CHECK(both(good));
  for (const char* bad :
       {"[1]", R"({"kind": "buffer"})", R"({"kind": "buffer", "of": "x", "offset": 4})",
        R"({"kind": "buffer", "of": "x", "offset_bytes": -4})",
        R"({"kind": "scalar", "dtype": "f31", "value": 1})", R"({"kind": "scalar", "value": 1})",
        R"({"kind": "scalar", "dtype": "f32", "value": "half"})", R"({"kind": "bytes"})",
        R"({"kind": "struct", "fields": []})", R"({"kind": "out", "dtype": "f32", "shape": [4]})",
        R"({"kind": "tmap", "of": "x", "dtype": "b64", "dims": [4], "strides_bytes": [],
            "box": [4]})",
        R"({"kind": "texture", "of": "x", "extents": [4]})",
        R"({"kind": "texture", "of": "x", "texel": "f64", "extents": [4]})",
        R"({"kind": "texture", "of": "x", "texel": "f32", "channels": 3, "extents": [4]})"})
    CHECK_FALSE(both(bad));
}

TEST_CASE("a launch file that is written elsewhere says the same of the same files",
          "[cli][docs]") {
  using command::launch_json, command::parse_launch_file;
  const auto normal = [](const std::string& path) {
    return path.empty() ? std::filesystem::path()
                        : std::filesystem::absolute(path).lexically_normal();
  };
  for (const char* name : {"every_kind.json", "one_launch.json"}) {
    std::string read = read_text(std::string(JUTE_SOURCE_DIR "/tests/fuzz/corpus_launch/") + name);
    // As many as there are values.
    if (const size_t at = read.find("4096"); at != std::string::npos) read.replace(at, 4, "3");
    const auto file = parse_launch_file(read, "here/l.json");
    const std::string text = launch_json(file, "there/below/l.json").text();
    INFO(text);
    const auto again = parse_launch_file(text, "there/below/l.json");
    CHECK(again.compile.options == file.compile.options);
    REQUIRE(again.launches.size() == file.launches.size());
    REQUIRE(again.buffers.size() == file.buffers.size());
    for (size_t i = 0; i < file.buffers.size(); ++i) {
      CHECK(again.buffers[i].contents.index() == file.buffers[i].contents.index());
      CHECK(normal(again.buffers[i].save) == normal(file.buffers[i].save));
    }
    for (size_t i = 0; i < file.launches.size(); ++i) {
      const auto &one = again.launches[i].arguments, &other = file.launches[i].arguments;
      CHECK(normal(again.launches[i].module) == normal(file.launches[i].module));
      REQUIRE(one.size() == other.size());
      for (size_t a = 0; a < one.size(); ++a) CHECK(one[a].value.index() == other[a].value.index());
    }
  }
}

TEST_CASE("a number without a spelling in JSON is an argument, unless memory is called so",
          "[cli][docs]") {
  const auto first = [](const std::string& buffers) {
    return command::parse_launch_file(
               R"({"buffers": {)" + buffers +
                   R"(}, "launches": [{"kernel": "k", "grid": 1, "block": 1, "args": ["inf"]}]})",
               "l.json")
        .launches[0]
        .arguments[0]
        .value;
  };
  CHECK(std::holds_alternative<command::PlainNumber>(first("")));
  CHECK(std::holds_alternative<command::BufferAddress>(
      first(R"("inf": {"dtype": "f32", "shape": 4})")));
}

TEST_CASE("the commands on the page of launch files run and find nothing", "[cli][docs]") {
  // What they write goes where the page does not say.
  const TemporaryFolder folder;
  std::filesystem::create_directory_symlink(JUTE_SOURCE_DIR "/examples", folder.file("examples"));
  std::istringstream page(read_text(kLaunchPage));
  int lines = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("    $ jute ")) continue;
    const ProcessResult result =
        run_jute(command_words(line.substr(11)), {.folder = folder.path().string()});
    INFO(line << "\n" << result.out << result.err);
    CHECK(result.status == 0);
    // A program alone is told lines that run its kernels.
    const bool is_told = line.ends_with(".cu");
    const bool writes = line.find("--launch build") != std::string::npos;
    if (is_told)
      CHECK(result.out.find("\n  jute emulate ") != std::string::npos);
    else
      CHECK(result.out.ends_with(writes ? "launch.json\n" : "clean\n"));
    ++lines;
  }
  CHECK(lines >= 6);
}
