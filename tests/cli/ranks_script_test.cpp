// bench/ranks.py: a list of products over several ranks under a watchdog, resumed where it ended.
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// A program that says rows as ranks_race does; of rows of 7 it hangs, of rows of 9 it fails.
void write_ranks_race(const std::string& path) {
  std::ofstream(path) << R"(#!/bin/sh
for line in "$@"; do
  case "$line" in
    "ar 7 "*) exec sleep 60 ;;
    "ar 9 "*) exit 1 ;;
    ag*|ar*) for row in gemm,10 "comm copies,4" "seq copies,14" "chunks copies,11" end,0; do
        echo "$line,$row,0,same"
      done ;;
  esac
done
)";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

}  // namespace

TEST_CASE("the race of ranks outlives a case that hangs or fails, and goes on where it ended",
          "[cli][bench][ranks]") {
  if (run_process({"python3", "--version"}).status != 0) return;  // nothing else here needs it
  const TemporaryFolder folder;
  const std::string program = folder.file("ranks_race"), csv = folder.file("ranks.csv");
  write_ranks_race(program);
  const auto race = [&](const std::string& seconds) {
    return run_process({"python3", JUTE_SOURCE_DIR "/bench/ranks.py", "--no-torch", "--stall", "1",
                        "--seconds", seconds, "--program", program, "--csv", csv, "--cases",
                        "ag 8 16 32", "ar 7 16 32", "ar 9 16 32", "ar 64 16 32"});
  };
  // Its time is over with the first row: what that case had is not all.
  const ProcessResult cut = race("0");
  INFO(cut.out << cut.err);
  CHECK(cut.status == 0);
  CHECK(cut.err.find("call it again") != std::string::npos);
  CHECK(command::read_text(csv).find(",end,") == std::string::npos);
  const ProcessResult whole = race("60");
  INFO(whole.out << whole.err);
  CHECK(whole.status == 0);
  const std::string rows = command::read_text(csv);
  for (const char* row : {"ag,8,16,32,end", "ar,7,16,32,lost,said nothing for 1",
                          "ar,9,16,32,lost,failed", "ar,64,16,32,end"})
    CHECK(rows.find(row) != std::string::npos);
  // T_gemm 10, T_comm 4, T_seq 14, by rounds 11; the bound has 0.4 of the gather, 0.5 of the sum.
  CHECK(whole.out.find("11.6   1.273") != std::string::npos);
  CHECK(whole.out.find("12.0   1.273") != std::string::npos);
  // Nothing is left.
  CHECK(race("60").out == whole.out);
  CHECK(command::read_text(csv) == rows);
}
