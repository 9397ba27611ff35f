// Templates with holes.
#include <jute/emit/piece.hpp>

#include <sys/stat.h>
#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using test::refusal_of;

namespace {

/// The built-in templates and one of the test's own, `test/one.cu`.
TemplateSet with_template(const std::string& text) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "test");
  std::ofstream(folder.file("test/one.cu")) << text;
  return TemplateSet::from_directory(folder.path().string());
}

Piece piece_of(const std::string& text) { return {with_template(text), "test/one.cu"}; }

}  // namespace

TEST_CASE("a value fills every hole of its name, anywhere in a line", "[emit][piece]") {
  Piece piece = piece_of("int ${name} = ${value} * ${value};\n");
  CHECK(piece.fill("name", "x").fill("value", 7).text() == "int x = 7 * 7;\n");
}

TEST_CASE("a piece is indented to the column of its hole, empty lines are not", "[emit][piece]") {
  Piece piece = piece_of("{\n    $[body]\n}\n");
  CHECK(piece.fill("body", "if (x) {\n\n  y();\n}\n").text() ==
        "{\n    if (x) {\n\n      y();\n    }\n}\n");
}

TEST_CASE("the last line of a piece may lack its line end", "[emit][piece]") {
  CHECK(piece_of("  $[body]\nlast\n").fill("body", "one").text() == "  one\nlast\n");
}

TEST_CASE("an empty piece takes its line away", "[emit][piece]") {
  CHECK(piece_of("first\n  $[body]\nlast\n").fill("body", "").text() == "first\nlast\n");
}

TEST_CASE("a value may be filled again, and the last one counts", "[emit][piece]") {
  Piece piece = piece_of("${x}\n");
  CHECK(piece.fill("x", "1").text() == "1\n");
  CHECK(piece.fill("x", "2").text() == "2\n");
}

TEST_CASE("holes in a value stay as they are", "[emit][piece]") {
  CHECK(piece_of("${x}\n").fill("x", "${y}").text() == "${y}\n");
}

TEST_CASE("a piece refuses a hole that its template does not have", "[emit][piece][refusal]") {
  const Error error = refusal_of([] { return piece_of("${x}\n").fill("y", "1").text(); });
  CHECK(error.code == ErrorCode::illegal_template);
  CHECK(error.operand == "test/one.cu");
  CHECK(error.value == "y");
}

TEST_CASE("a piece refuses to leave a hole open", "[emit][piece][refusal]") {
  for (const std::string text : {"${x} ${y}\n", "${x}\n$[y]\n"}) {
    const Error error = refusal_of([&] { return piece_of(text).fill("x", "1").text(); });
    CHECK(error.code == ErrorCode::illegal_template);
    CHECK(error.value == "y");
  }
}

TEST_CASE("a piece refuses a hole that does not end in its line", "[emit][piece][refusal]") {
  const Error error = refusal_of([] { return piece_of("${x\n").text(); });
  CHECK(error.code == ErrorCode::illegal_template);
}

TEST_CASE("a template set refuses a path that it does not have", "[emit][piece][refusal]") {
  const TemplateSet set = TemplateSet::built_in();
  CHECK(refusal_of([&] { return set.text("kernel/no.cu"); }).code == ErrorCode::illegal_template);
  CHECK(refusal_of([] { return TemplateSet::from_directory("/no/such/folder"); }).code ==
        ErrorCode::file_not_found);
}

TEST_CASE("a directory of templates lies over the built-in ones", "[emit][piece]") {
  const TemplateSet set = with_template("of my own\n");
  CHECK(set.text("test/one.cu") == "of my own\n");
  CHECK(set.pieces().size() == TemplateSet::built_in().pieces().size() + 1);
}

TEST_CASE("a file may hold several pieces, each behind a line with its name", "[emit][piece]") {
  const TemplateSet set = with_template(
      "// test/one.cu: first.\nint a;\n\n// test/one.cu (next): second.\nint b;\n\n"
      "// no piece (of its own): words.\nint c;\n");
  CHECK(set.text("test/one.cu") == "// test/one.cu: first.\nint a;\n");
  CHECK(set.text("test/one.cu (next)") ==
        "// test/one.cu (next): second.\nint b;\n\n// no piece (of its own): words.\nint c;\n");
  const TemplateSet named = with_template("// test/one.cu (only): one.\nint a;\n");
  CHECK(named.text("test/one.cu (only)").ends_with("int a;\n"));
  CHECK(refusal_of([&] { return named.text("test/one.cu"); }).code == ErrorCode::illegal_template);
}

TEST_CASE("the pieces of GEMMs lie in at most 98 files", "[emit][piece]") {
  std::set<std::string> files;
  const TemplateSet set = TemplateSet::built_in();
  for (const auto& [name, text] : set.pieces())
    if (!name.starts_with("probe/") && !name.starts_with("instruction/"))
      files.insert(name.substr(0, name.find(' ')));
  CHECK(files.size() <= 98);
}

TEST_CASE("every built-in template names its path first, and frames behind their words",
          "[emit][piece]") {
  const TemplateSet set = TemplateSet::built_in();
  for (const auto& [path, text] : set.pieces()) {
    INFO(path);
    const bool is_frame = text.starts_with("$[words]\n\n// " + path);
    CHECK((is_frame || text.starts_with("// " + path)));
  }
}

TEST_CASE("a piece of a GEMM has at most 60 lines and six holes", "[emit][piece]") {
  static const std::regex kExample("//   fills: [^\n]*"), kHole(R"(\$[{\[]\w+[}\]])");
  const TemplateSet set = TemplateSet::built_in();
  for (const auto& [path, file] : set.pieces()) {
    if (path.starts_with("probe/")) continue;
    INFO(path);
    const std::string text = std::regex_replace(file, kExample, "");
    CHECK(std::count(text.begin(), text.end(), '\n') <= 60);
    std::set<std::string> holes;
    for (std::sregex_iterator hole(text.begin(), text.end(), kHole), end; hole != end; ++hole)
      holes.insert(hole->str());
    // Those that are left: what lies along D's rows or its columns, or either operand's; both types
    // of a conversion; a k-tile's scales; a box: by which function and map, from where; frames, and
    // who loads, with all that they are made of.
    static const std::set<std::string> kMore{"specialised/subtiles.cu",
                                             "epilogue/direct.cu",
                                             "epilogue/inputs.cu (read)",
                                             "epilogue/write_output.cu",
                                             "move/convert.cu (words)",
                                             "move/each.cu (turn)",
                                             "mainloop/straight.cu (line names)",
                                             "copy/straight.cu (ahead k_major)",
                                             "copy/straight.cu (ahead mn_major)",
                                             "kernel/multistage.cu",
                                             "copy/straight.cu (shifted)",
                                             "kernel/register_staged.cu",
                                             "kernel/converting.cu",
                                             "epilogue/staged_rows.cu",
                                             "specialised/scales.cu (copies)",
                                             "specialised/load_stage.cu (boxes)",
                                             "specialised/load_stage.cu (boxes of a share)",
                                             "specialised/load_stage.cu (boxes inside)",
                                             "specialised/load_stage.cu (halves)",
                                             "specialised/producer.cu",
                                             "specialised/start.cu (by the initialiser)"};
    CHECK(holes.size() <= (kMore.contains(path) ? 9U : 6U));
  }
}

TEST_CASE("a template that is no regular file is refused and not waited for",
          "[emit][piece][refusal]") {
  const test::TemporaryFolder folder;
  REQUIRE(::mkfifo(folder.file("pipe.cu").c_str(), 0600) == 0);
  const auto read = [&] { return TemplateSet::from_directory(folder.path().string()); };
  CHECK(refusal_of(read).code == ErrorCode::illegal_template);
  std::filesystem::remove(folder.path() / "pipe.cu");
  std::filesystem::create_directory(folder.path() / "folder.cu");
  CHECK(refusal_of(read).code == ErrorCode::illegal_template);
}
