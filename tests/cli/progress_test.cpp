// What long work tells while it runs, and what an interrupt leaves.
#include "command/progress.hpp"

#include <fstream>

#include "cli/command.hpp"
#include "support/temporary_folder.hpp"
#include "support/terminal.hpp"

using namespace jute;
using namespace jute::command;
using namespace jute::test;

TEST_CASE("a line of progress tells part, speed and time left", "[cli][progress]") {
  CHECK(to_string(ProgressState{.what = "emulating",
                                .done = 32,
                                .all = 128,
                                .seconds = 4.0,
                                .work = 8.0,
                                .unit = "GMAC"}) == "emulating: 25 %, 0.50 GMAC/s, 12 s left");
  CHECK(to_string(ProgressState{.what = "verifying", .done = 1, .all = 1000, .seconds = 2.0}) ==
        "verifying: 0 %, 34 min left");
  CHECK(to_string(ProgressState{.what = "emulating", .all = 0, .seconds = 2.0}) ==
        "emulating: 0 %");
}

TEST_CASE("on a terminal long work says how far it is, elsewhere nothing", "[cli][progress]") {
  if (!has_terminals()) return skip(kNoTerminal);
  // Checked in full on one thread: as much as takes so long on the machine at hand that
  // some of it is done when it is told of for the first time.
  ProcessResult terminal;
  std::vector<std::string> work;
  for (const char* k : {"384", "1536", "6144", "24576"}) {
    work = command_words(
        "gemm --m 1024 --n 1024 --random 1 --type f32 --mma UniversalFMA<float> --check full "
        "--device emulator --k");
    work.emplace_back(k);
    std::string line = "'" JUTE_COMMAND "'";
    for (const std::string& word : work) line += " '" + word + "'";
    terminal = run_process({"script", "-qec", line, "/dev/null"},
                           {.environment = {{"JUTE_CACHE", "off"}}});
    REQUIRE(terminal.status == 0);
    if (terminal.out.find(" GMAC/s, ") != std::string::npos) break;
  }
  CHECK(terminal.out.find("emulating: ") != std::string::npos);
  CHECK(terminal.out.find(" GMAC/s, ") != std::string::npos);
  CHECK(run_jute(work).err.empty());
}

TEST_CASE("an interrupt keeps the proofs that are done", "[cli][atom][progress]") {
  TerminalProgram jute({JUTE_COMMAND, "atom", "verify", "--all", "--device", "emulator",
                        "--workers", "1", "--color", "never"},
                       {});
  // It tells how far it is with a proof that is done.
  REQUIRE(jute.shows("verifying "));
  jute.type("\x03");
  CHECK(jute.finish() == 1);
  INFO(jute.shown());
  CHECK(jute.shown().find("jute: interrupted: ") != std::string::npos);
  CHECK(jute.shown().find(" proved ") != std::string::npos);
}

TEST_CASE("an interrupted emulation tells what it found before", "[cli][emulate][progress]") {
  const TemporaryFolder folder;
  // The second launch takes minutes: a million blocks count to a thousand.
  std::ofstream(folder.file("k.ptx"))
      << ".version 8.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry wild()\n{\n"
         "  .reg .b64 %rd<2>;\n  mov.u64 %rd1, 64;\n  st.global.u32 [%rd1], 1;\n  ret;\n}\n"
         ".visible .entry count()\n{\n"
         "  .reg .b32 %r<2>;\n  .reg .pred %p<2>;\n  mov.u32 %r1, 0;\n"
         "again:\n  add.u32 %r1, %r1, 1;\n  setp.lt.u32 %p1, %r1, 1000;\n"
         "  @%p1 bra again;\n  ret;\n}\n";
  std::ofstream(folder.file("launch.json"))
      << R"({"launches": [{"kernel": "wild", "grid": 1, "block": 32, "args": []},
                          {"kernel": "count", "grid": 1000000, "block": 32, "args": []}]})";
  TerminalProgram jute({JUTE_COMMAND, "emulate", folder.file("k.ptx"), "--launch",
                        folder.file("launch.json"), "--color", "never"},
                       {});
  REQUIRE(jute.shows("emulating: "));
  REQUIRE(jute.shows(" left"));
  jute.type("\x03");
  CHECK(jute.finish() == 1);
  CHECK(jute.shown().find("M1:") != std::string::npos);
  CHECK(jute.shown().find("interrupted: nothing was compared or saved") != std::string::npos);
}
