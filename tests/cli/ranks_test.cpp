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
  CHECK(failed.err.find("status 7") != std::string::npos);
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

TEST_CASE("ranks of no program, or of none at all, are refused", "[cli][ranks][refusal]") {
  require_refusal(run_jute({"ranks", "-n", "2"}), 2, "PROGRAM");
  require_refusal(run_jute({"ranks", "-n", "0", "--", "true"}), 2, "-n");
  const ProcessResult missing = run_jute({"ranks", "-n", "2", "--", "/nowhere/program"});
  CHECK(missing.status != 0);
  CHECK(missing.err.find("/nowhere/program") != std::string::npos);
}
