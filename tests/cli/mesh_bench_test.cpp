// `jute bench --ranks` and `--ranks` elsewhere: every way is timed, and what does not fit is
// refused.
#include <jute/device/device.hpp>

#include <nlohmann/json.hpp>

#include <set>

#include "cli/command.hpp"

using namespace jute::test;

TEST_CASE("bench times every way of a product over several ranks", "[cli][ranks][bench]") {
  const std::string shape = " --device emulator --rounds 2 --m 16 --n 128 --k 64 --type bf16 ";
  const ProcessResult gathered = run_jute(command_words("bench --ranks 2" + shape));
  INFO(gathered.out << gathered.err);
  CHECK(gathered.status == 0);
  for (const char* part :
       {"2 ranks, each emulator", "place=A=M@tp,B=N@tp,", "time     kernels alone",
        "time     exchanges alone", "time     none", "time     chunks", "planned  "})
    CHECK(gathered.out.find(part) != std::string::npos);
  CHECK(gathered.out.find("one-shot ") == std::string::npos);
  const ProcessResult summed = run_jute(
      command_words("bench --json --mesh tp=2 --place A=K@tp,B=K@tp --share K@tp" + shape));
  INFO(summed.out << summed.err);
  REQUIRE(summed.status == 0);
  const auto json = nlohmann::json::parse(summed.out);
  std::set<std::string> names;
  for (const auto& time : json["times"]) {
    names.insert(time["name"]);
    CHECK(time["least_us"].get<double>() > 0);
    CHECK(time["us"].get<double>() >= time["least_us"].get<double>());
  }
  CHECK(names == std::set<std::string>{"kernels alone", "exchanges alone", "none", "chunks",
                                       "one-shot", "store"});
  CHECK(json["planned"] == "one-shot");  // two exchanges keep a thread for longer
  CHECK(json["ranks"] == 2);
}

TEST_CASE("ranks are those of the mesh, and races of one GPU are not theirs",
          "[cli][ranks][refusal]") {
  const std::string shape = " --m 8 --n 8 --k 8";
  require_refusal(run_jute(command_words("bench --ranks 3 --mesh tp=2" + shape)), 2, "--ranks");
  require_refusal(run_jute(command_words("bench --ranks 2 --cold" + shape)), 2, "--cold");
  if (!jute::find_driver())
    require_refusal(run_jute(command_words("bench --ranks 2" + shape)), 3, "gpu");
  require_refusal(run_jute(command_words("bench --device emulator" + shape)), 2, "--device");
  require_refusal(run_jute(command_words("plan --ranks 0" + shape)), 2, "--ranks");
  const ProcessResult run = run_jute(command_words(
      "gemm --ranks 3 --random 1 --verify --device emulator --place A=K@tp,B=K@tp --share K@tp" +
      shape));
  INFO(run.out << run.err);
  CHECK(run.status == 0);
  CHECK(run.out.find("mesh=tp=3") != std::string::npos);
}
