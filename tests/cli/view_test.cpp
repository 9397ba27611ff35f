// `jute view`: a kernel as a page.
#include "pictures/view_page.hpp"

#include <filesystem>
#include <fstream>
#include <regex>

#include "cli/command.hpp"
#include "files/files.hpp"
#include "programs/disassembler.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

size_t times_in(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a line of PTX belongs to the line of CUDA that its .loc names", "[cli][view]") {
  CHECK(command::source_lines_of(".visible .entry k()\n"
                                 "{\n"
                                 "\t.reg .b32 %r<3>;\n"
                                 "\t.loc\t1 12 3\n"
                                 "\tadd.s32 %r1, %r2, 1;\n"
                                 "$L__label:\n"
                                 "\t.loc 1 199 3, function_name $L__info, inlined_at 1 15 5\n"
                                 "\tret;\n"
                                 "}\n"
                                 "\t.section .debug;\n") ==
        std::vector<int>{0, 0, 0, 0, 12, 0, 0, 199, 0, 0});
}

TEST_CASE("a kernel's page holds memory, layouts, both texts and the plan, and needs no other file",
          "[cli][view]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("kernel.html");
  const std::vector<std::string> problem{"--m", "512", "--n",    "512",
                                         "--k", "512", "--type", "bf16"};
  std::vector<std::string> line{"view", "-o", file};
  line.insert(line.end(), problem.begin(), problem.end());
  const ProcessResult result = run_jute(line);
  INFO(result.err);
  REQUIRE(result.status == 0);
  const std::string page = command::read_text(file);
  CHECK(page.starts_with("<!doctype html>"));
  for (const char* part : {"id=\"memory\"", "id=\"time\"", "id=\"layouts\"", "id=\"code\"",
                           "id=\"plan\"", "registers a thread", "wgmma.mma_async", "__global__"})
    CHECK(page.find(part) != std::string::npos);
  CHECK(times_in(page, "src=\"") == times_in(page, "src=\"data:image/svg+xml;base64,"));
  CHECK(times_in(page, "<img ") >= 2);
  CHECK(page.find("http") == std::string::npos);
  // PTX begins behind the CUDA text; its links lead to lines that are there.
  const size_t ptx = page.find("aria-label=\"PTX\"");
  REQUIRE(ptx != std::string::npos);
  const int lines = static_cast<int>(times_in(page.substr(0, ptx), "<div data-l="));
  const std::regex link("<div data-l=\"([0-9]+)\">");
  int links = 0;
  for (std::sregex_iterator at(page.begin() + static_cast<std::ptrdiff_t>(ptx), page.end(), link),
       end;
       at != end; ++at, ++links)
    CHECK(std::stoi((*at)[1]) <= lines);
  CHECK(links > 200);
}

TEST_CASE("pages show kernels of scaled operands and quantised outputs", "[cli][view]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("kernel.html");
  struct Row {
    std::string problem;
    const char* part;  ///< of the page
  };
  for (const auto& [problem, part] :
       {Row{"M=40 N=136 K=128 A=bf16 B=u4:col scale_b=bf16:col:block1x64 zero_b=8 D=bf16",
            "specialised/fragments.cu"},
        Row{"M=130 N=136 K=256 A=e4m3 B=e4m3:col scale_a=f32:col:block1x128 "
            "scale_b=f32:col:block128x128 D=bf16",
            "specialised/scales.cu"},
        Row{"M=48 N=128 K=64 A=bf16 B=bf16:col D=e4m3 epilogue=\"y := acc; s := "
            "amax[1,128](y)/448; "
            "d = y/s; scale_d = s\"",
            "scale_d"},
        Row{"M=48 N=128 K=64 A=bf16 B=bf16:col D=e4m3 epilogue=\"e4m3(acc, seed)\"", "seed"}}) {
    const ProcessResult result = run_jute({"view", "-o", file, "--problem", problem});
    INFO(problem << result.err);
    REQUIRE(result.status == 0);
    const std::string page = command::read_text(file);
    for (const char* const needed : {part, "id=\"memory\"", "id=\"time\"", "id=\"code\""})
      CHECK(page.find(needed) != std::string::npos);
  }
}

TEST_CASE("a line of machine code belongs to the line that nvdisasm names above it",
          "[cli][view]") {
  // As nvdisasm -c -g 13.0 prints.
  CHECK(command::source_lines_of_sass(
            "//--------------------- .text.k --------------------------\n"
            ".text.k:\n"
            "\t//## File \"/jute/k.cu\", line 361\n"
            "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
            "\t//## File \"/jute/k.cu\", line 169 inlined at \"/jute/k.cu\", line 403\n"
            "\t//## File \"/jute/k.cu\", line 403\n"
            ".L_x_26:\n"
            "        /*0010*/              @!P0 EXIT ;\n"
            "//--------------------- .nv.info --------------------------\n"
            "        /*0000*/ .byte 0x04\n") == std::vector<int>{0, 0, 0, 361, 0, 0, 0, 403, 0, 0});
}

TEST_CASE("with a disassembler the page shows machine code beside CUDA and PTX", "[cli][view]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("bin"));
  const std::string tool = folder.file("bin/nvdisasm");
  std::ofstream(tool) << "#!/bin/sh\n"
                         "[ \"$1 $2\" = '-c -g' ] && [ -s \"$3\" ] || exit 1\n"
                         "printf '\\t//## File \"/jute/k.cu\", line 7\\n'\n"
                         "printf '        /*0000*/   EXIT ;\\n'\n";
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  const std::vector<std::string> line{"view", "--m", "64", "--n", "64", "--k", "64", "-o", "-"};
  const ProcessInput without{
      .environment = {{"PATH", "/usr/bin:/bin"}, {"CUDA_HOME", ""}, {"VIRTUAL_ENV", ""}}};
  ProcessInput with = without;
  with.environment[1].second = folder.path().string();
  const ProcessResult result = run_jute(line, with);
  INFO(result.err);
  REQUIRE(result.status == 0);
  const size_t sass = result.out.find("aria-label=\"SASS\"");
  REQUIRE(sass != std::string::npos);
  CHECK(result.out.find("<div data-l=\"7\"><span class=\"n\">1</span>/*0000*/  EXIT ;", sass) !=
        std::string::npos);
  // A toolkit in its usual place, or a wheel in this clone, is found without any variable.
  if (run_jute({"doctor", "--require", "nvdisasm"}, without).status == 0) return;
  const ProcessResult plain = run_jute(line, without);
  CHECK(plain.out.find("aria-label=\"SASS\"") == std::string::npos);
  CHECK(plain.out.find("With nvdisasm in PATH") != std::string::npos);
}

TEST_CASE("a kernel in time is a picture of its own", "[cli][view]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("time.svg");
  // Nothing is compiled for it.
  const ProcessResult result =
      run_jute({"view", "--m", "512", "--n", "512", "--k", "512", "--type", "bf16", "-o", file},
               {.environment = {{"JUTE_NVRTC", "/nonexistent"}}});
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(command::read_text(file).find("producer") != std::string::npos);
  require_refusal(run_jute({"view", "--m", "4097", "--n", "4095", "--k", "4096", "--type", "bf16",
                            "--step", "0", "-o", file}),
                  2, "it must end with .html");
}

TEST_CASE("a page may tell of a run of its kernel, of any family", "[cli][view]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("kernel.html");
  for (const char* main_loop : {"straight", "multistage", "warp_specialised"}) {
    INFO(main_loop);
    const ProcessResult result =
        run_jute({"view", "-o",          file,      "--m",      "70",       "--n",
                  "40",   "--k",         "64",      "--type",   "bf16",     "--order-b",
                  "col",  "--main-loop", main_loop, "--device", "emulator", "--device-preset",
                  "h200", "--run"});
    INFO(result.err);
    REQUIRE(result.status == 0);
    const std::string page = command::read_text(file);
    CHECK(page.find("id=\"launch\"") != std::string::npos);
    CHECK(page.find("order of moments alone") != std::string::npos);
  }
  const ProcessResult refused = run_jute(
      {"view", "-o", folder.file("k.svg"), "--m", "70", "--n", "40", "--k", "64", "--run"});
  CHECK(refused.status == 2);
  CHECK(refused.err.find("--run: it needs a page") != std::string::npos);
}
