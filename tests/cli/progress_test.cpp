// What long work tells while it runs, and what an interrupt leaves.
#include "progress.hpp"

#include "cli/command.hpp"

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
  // Two seconds of it, checked in full on one thread.
  const std::vector<std::string> work = command_words(
      "gemm --m 1024 --n 1024 --k 384 --random 1 --type f32 --mma UniversalFMA<float> --check full "
      "--device emulator");
  std::string line = "'" JUTE_COMMAND "'";
  for (const std::string& word : work) line += " '" + word + "'";
  const ProcessResult terminal =
      run_process({"script", "-qec", line, "/dev/null"}, {.environment = {{"JUTE_CACHE", "off"}}});
  CHECK(terminal.status == 0);
  CHECK(terminal.out.find("emulating: ") != std::string::npos);
  CHECK(terminal.out.find(" GMAC/s, ") != std::string::npos);
  CHECK(run_jute(work).err.empty());
}

TEST_CASE("an interrupt keeps the proofs that are done", "[cli][atom][progress]") {
  const ProcessResult result =
      run_process({"timeout", "--signal=INT", "--preserve-status", "3", JUTE_COMMAND, "atom",
                   "verify", "--all", "--device", "emulator", "--workers", "1"});
  INFO(result.err);
  CHECK(result.status == 1);
  CHECK(result.err.find("jute: interrupted: ") != std::string::npos);
  CHECK(result.out.find(" proved ") != std::string::npos);
}
