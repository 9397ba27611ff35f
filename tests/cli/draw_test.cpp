// `jute draw`: which picture goes where.
#include "cli/command.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>

using namespace jute;
using namespace jute::test;

TEST_CASE("a picture without a file is a table on standard output", "[cli][draw]") {
  const ProcessResult result = run_jute({"draw", "(2,2):(2,1)", "--ascii"});
  CHECK(result.status == 0);
  CHECK(result.out ==
        "(2,2):(2,1)\n"
        "    0 1\n"
        "  +-----\n"
        "0 | 0 1\n"
        "1 | 2 3\n");
  CHECK(run_jute({"draw", "(2,2):(2,1)", "--color", "always"}).out.find('\x1b') !=
        std::string::npos);
}

TEST_CASE("the suffix chooses the kind of picture", "[cli][draw]") {
  const TemporaryFolder folder;
  const auto drawn = [&](const std::string& name) {
    const ProcessResult result =
        run_jute({"draw", "SM80_16x8x16_F32F16F16F32_TN", "-o", folder.file(name)});
    INFO(result.err);
    CHECK(result.status == 0);
    CHECK(result.out.empty());
    return command::read_text(folder.file(name));
  };
  CHECK(drawn("atom.svg").starts_with("<svg "));
  CHECK(drawn("atom.html").starts_with("<!doctype html>"));
  CHECK(drawn("atom.tex").starts_with("% LayoutC: "));
  CHECK(drawn("atom.txt").starts_with("SM80_16x8x16_F32F16F16F32_TN\n"));
}

TEST_CASE("expressions, TV layouts and banks are drawn", "[cli][draw]") {
  CHECK(run_jute({"draw", "logical_divide(16:2,4:1)"}).out.starts_with("(4,4):(2,8)\n"));
  CHECK(run_jute({"draw", "(2,2):(1,2)", "--tv", "2x2"}).out.find("T1 V1") != std::string::npos);
  CHECK(run_jute({"draw", "(8,64):(64,1)", "--banks", "bf16"}).out.find(" B31") !=
        std::string::npos);
}

TEST_CASE("an option that would change nothing of a picture is refused", "[cli][draw][refusal]") {
  const TemporaryFolder folder;
  const std::string atom = "SM80_16x8x16_F32F16F16F32_TN";
  CHECK(run_jute({"draw", "(4,8)", "--json"}).err.find("\"operand\":\"--json\"") !=
        std::string::npos);
  require_refusal(run_jute({"draw", atom, "--tv", "16x8"}), 2, "--tv = 16x8");
  require_refusal(run_jute({"draw", atom, "--banks", "f16"}), 2, "--banks = f16");
  require_refusal(run_jute({"draw", "(4,8)", "--ascii", "-o", folder.file("picture.svg")}), 2,
                  "--ascii");
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a device or a pipe takes a picture as text", "[cli][draw]") {
  const std::string text = run_jute({"draw", "(2,2):(2,1)"}).out;
  CHECK(run_jute({"draw", "(2,2):(2,1)", "-o", "/dev/null"}).status == 0);
  const ProcessResult piped = run_process(
      {"/bin/sh", "-c", std::string(JUTE_COMMAND) + " draw '(2,2):(2,1)' -o /dev/stdout | cat"});
  CHECK(piped.out == text);
  CHECK(piped.err.empty());
}

TEST_CASE("colours, one thread and a second picture are chosen by options", "[cli][draw]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("picture.svg"), atom = "SM80_16x8x16_F32F16F16F32_TN";
  const auto drawn = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "draw");
    options.insert(options.end(), {"-o", file});
    const ProcessResult result = run_jute(options);
    INFO(result.err);
    CHECK(result.status == 0);
    return command::read_text(file);
  };
  CHECK(drawn({atom, "--color-by", "value"}).find(">V7</text>") != std::string::npos);
  CHECK(drawn({atom, "--colour-by", "(4,8):(1,0)"}).find("colours: (4,8):(1,0)") !=
        std::string::npos);
  CHECK(drawn({atom, "--thread", "5"}).find(">T4</text>") == std::string::npos);
  CHECK(drawn({"SM75_U32x4_LDSM_N", "--beside", "SM75_U32x1_LDSM_N"}).find("SM75_U32x1_LDSM_N") !=
        std::string::npos);
  const std::string wide = "SM90_64x256x16_F32F16F16_RS";
  CHECK(drawn({wide}).size() < drawn({wide, "--whole"}).size() / 4);
  require_refusal(run_jute({"draw", atom, "--color-by", "valu"}), 2, "(nearest legal: value)");
  require_refusal(run_jute({"draw", "(4,8)", "--thread", "1"}), 2, "thread = 1");
  require_refusal(run_jute({"draw", atom, "--thread", "99"}), 2, "(nearest legal: 31)");
  require_refusal(run_jute({"draw", atom, "--thread", "1", "-o", folder.file("a.tex")}), 2,
                  "--thread");
}

TEST_CASE("PNG and PDF are made by a program of the machine, which is named where it is missing",
          "[cli][draw]") {
  const TemporaryFolder folder;
  for (const std::string format : {"png", "pdf"}) {
    const std::string file = folder.file("picture." + format);
    const ProcessResult without = run_jute({"draw", "(4,8)", "-o", file},
                                           {.environment = {{"PATH", folder.path().string()}}});
    require_refusal(without, 3, "rsvg-convert (package librsvg2-bin) or cairosvg");
    CHECK(without.err.find("picture.svg") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(file));
    // A program that says how it was asked, in place of the real one.
    const std::string program = folder.file("rsvg-convert");
    std::ofstream(program)
        << "#!/bin/sh\n/bin/head -c 4 \"$(for last; do :; done; echo \"$last\")\"; "
           "echo \" $@\"\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const ProcessResult with = run_jute({"draw", "(4,8)", "-o", file},
                                        {.environment = {{"PATH", folder.path().string()}}});
    INFO(with.err);
    REQUIRE(with.status == 0);
    const std::string made = command::read_text(file);
    CHECK(made.starts_with("<svg --unlimited --format " + format));
    CHECK((made.find("--zoom 2") != std::string::npos) == (format == "png"));
    std::ofstream(program) << "#!/bin/sh\nexit 1\n";
    require_refusal(run_jute({"draw", "(4,8)", "-o", folder.file("other." + format)},
                             {.environment = {{"PATH", folder.path().string()}}}),
                    3, "must draw the picture");
    std::filesystem::remove(program);
  }
}

TEST_CASE("strips, coordinates and the swizzle beside its layout are options", "[cli][draw]") {
  const auto drawn = [](std::vector<std::string> options) {
    options.insert(options.begin(), "draw");
    const ProcessResult result = run_jute(options);
    INFO(result.err);
    CHECK(result.status == 0);
    return result.out;
  };
  CHECK(drawn({"(1,6):(6,1)", "--columns", "4", "--ascii"}) ==
        "(1,6):(6,1)\n"
        "    0 1 2\n"
        "  +-------\n"
        "0 | 0 1 2\n"
        "\n"
        "    3 4 5\n"
        "  +-------\n"
        "0 | 3 4 5\n");
  CHECK(drawn({"(2,2):(2,1)", "--coordinates"}).find("3 (1,1)") != std::string::npos);
  CHECK(drawn({"(4,4):(4,1)", "--beside", "Sw<2,0,2>o0o(4,4):(4,1)"})
            .find("the column of the first table") != std::string::npos);
  CHECK(drawn({"(100,100):(1,100)"}).find("\nrows 24 to 91 are left out\n") != std::string::npos);
}

TEST_CASE("three layouts of no atom are drawn as a product, in CuTe's own picture too",
          "[cli][draw]") {
  const TemporaryFolder folder;
  const std::string atom = "SM80_16x8x16_F32F16F16F32_TN";
  const std::vector<std::string> own{"draw",   "((4,8),(2,2)):((32,1),(16,8))",
                                     "--tv",   "16x8",
                                     "--a-tv", "((4,8),(2,2,2)):((32,1),(16,8,128))",
                                     "--b-tv", "((4,8),(2,2)):((16,1),(8,64))",
                                     "--k",    "16",
                                     "-o"};
  for (const std::string suffix : {".tex", ".svg"}) {
    std::vector<std::string> words = own;
    words.push_back(folder.file("own" + suffix));
    const ProcessResult result = run_jute(words);
    INFO(result.err);
    REQUIRE(result.status == 0);
    REQUIRE(run_jute({"draw", atom, "-o", folder.file("atom" + suffix)}).status == 0);
    std::string mine = command::read_text(folder.file("own" + suffix));
    std::string theirs = command::read_text(folder.file("atom" + suffix));
    const auto from = [&](const std::string& text) {
      return text.substr(text.find(suffix == ".tex" ? "\\begin{tikzpicture}" : "<g class"));
    };
    CHECK(from(mine) == from(theirs));
  }
  require_refusal(run_jute({"draw", "(4,8)", "--tv", "4x8", "--k", "16"}), 2, "it needs --b-tv");
}

TEST_CASE("a misspelled atom is refused with the nearest", "[cli][draw][refusal]") {
  require_refusal(run_jute({"draw", "SM80_16x8x16_F32F16F16F32_TM"}), 2,
                  "(nearest legal: SM80_16x8x16_F32F16F16F32_TN)");
}

TEST_CASE("what has no picture is refused and leaves no file", "[cli][draw][refusal]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("picture.svg");
  require_refusal(run_jute({"draw", "congruent((2,2),(1,1))", "-o", file}), 2, "a truth value");
  require_refusal(run_jute({"draw", "(4,", "-o", file}), 2, "syntax");
  require_refusal(run_jute({"draw", "(4,4):(1,4)", "--tv", "2x2", "-o", file}), 2, "out_of_range");
  require_refusal(run_jute({"draw", "(4,4):(1,4)", "--tv", "wide"}), 2, "ROWSxCOLUMNS");
  require_refusal(run_jute({"draw", "(4,4):(1,4)", "-o", folder.file("picture.bmp")}), 2, ".svg");
  require_refusal(run_jute({"draw", "(4096,4096):(1,4096)", "-o", file}), 2, "65536");
  CHECK(std::filesystem::is_empty(folder.path()));
  require_refusal(run_jute({"draw", "(4,4)", "-o", folder.file("none/picture.svg")}), 3,
                  "unwritable");
}
