// `jute ranks`: a program for each rank, and what becomes of the others when one fails.
#include <chrono>
#include <filesystem>

#include "cli/command.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::command;
using namespace jute::test;

TEST_CASE("ranks know who they are and where they meet", "[cli][ranks]") {
  const TemporaryFolder folder;
  const std::string words =
      "echo $RANK/$WORLD_SIZE/$LOCAL_RANK $JUTE_RENDEZVOUS > " + folder.file("rank") + "$RANK";
  const ProcessResult result = run_jute({"ranks", "-n", "3", "--", "sh", "-c", words});
  INFO(result.err);
  CHECK(result.status == 0);
  std::string place;
  for (int rank = 0; rank < 3; ++rank) {
    const std::string said = read_text(folder.file("rank" + std::to_string(rank)));
    const std::string number = std::to_string(rank);
    CHECK(said.starts_with(number + "/3/" + number + " file:/"));
    const std::string met = said.substr(said.find("file:") + 5);
    CHECK((place.empty() || place == met));
    place = met;
  }
  // The folder is gone with the run.
  CHECK(!std::filesystem::exists(std::filesystem::path(place).parent_path()));
}

TEST_CASE("a rank that fails ends the others, and its status is the command's", "[cli][ranks]") {
  const auto start = std::chrono::steady_clock::now();
  const ProcessResult failed =
      run_jute({"ranks", "-n", "3", "--", "sh", "-c", "[ $RANK = 1 ] && exit 7; exec sleep 60"});
  CHECK(failed.status == 7);
  CHECK(failed.err.find("rank 1 of sh ended with status 7") != std::string::npos);
  // One that does not listen is killed after its grace.
  const ProcessResult deaf = run_jute({"ranks", "-n", "2", "--grace", "0.2", "--", "sh", "-c",
                                       "[ $RANK = 1 ] && exit 3; trap '' TERM; "
                                       "while :; do sleep 0.1; done"});
  CHECK(deaf.status == 3);
  const ProcessResult killed = run_jute(
      {"ranks", "-n", "2", "--", "sh", "-c", "[ $RANK = 0 ] && kill -9 $$; exec sleep 60"});
  CHECK(killed.status == 128 + 9);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
}

TEST_CASE("ranks get a secret that nobody else can read", "[cli][ranks]") {
  const char* words = "stat -c %a:%s $JUTE_RENDEZVOUS_SECRET";
  CHECK(run_jute({"ranks", "-n", "1", "--", "sh", "-c", words}).out == "600:32\n");
}

TEST_CASE("what ranks have started ends with them, however the run ends", "[cli][ranks]") {
  struct Row {
    std::string name, child, killed;
    int status;
  };
  const std::string waits = "sleep 60 & echo $! >> LIST; wait; true";
  for (const Row& row :
       {Row{"a rank fails", "[ $RANK = 1 ] && sleep 0.3 && exit 7; " + waits, "", 7},
        Row{"the one that failed leaves some", "sleep 60 & echo $! >> LIST; exit 7", "", 7},
        Row{"SIGTERM", waits, "TERM", 128 + 15}, Row{"SIGINT", waits, "INT", 128 + 2},
        Row{"SIGKILL", waits, "KILL", 128 + 9}}) {
    INFO(row.name);
    const TemporaryFolder folder;
    const std::string list = folder.file("list");
    std::string child = row.child;
    child.replace(child.find("LIST"), 4, list);
    std::string line =
        "JUTE ranks -n 2 --grace 0.5 -- sh -c '" + child + "' 2> /dev/null & run=$!; ";
    if (!row.killed.empty())
      line += "while [ $(wc -l < " + list +
              " 2> /dev/null || echo 0) -lt 2 ]; do sleep 0.05; done; kill -" + row.killed +
              " $run; ";
    line += "wait $run; echo $?; sleep 0.2; for p in $(cat " + list +
            "); do grep -q '^State:.[^Z]' /proc/$p/status 2> /dev/null && echo $p; done; true";
    line.replace(line.find("JUTE"), 4, JUTE_COMMAND);
    CHECK(run_process({"bash", "-c", line}).out == std::to_string(row.status) + "\n");
  }
}

TEST_CASE("ranks of no program, or of none at all, are refused", "[cli][ranks][refusal]") {
  require_refusal(run_jute({"ranks", "-n", "2"}), 2, "PROGRAM");
  require_refusal(run_jute({"ranks", "-n", "0", "--", "true"}), 2, "-n");
  const ProcessResult missing = run_jute({"ranks", "-n", "2", "--", "/nowhere/program"});
  CHECK(missing.status != 0);
  CHECK(missing.err.find("/nowhere/program") != std::string::npos);
}
