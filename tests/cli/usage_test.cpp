// Wrong usage, help and the exit statuses.
#include "cli/command.hpp"
#include "command/exit_status.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("wrong usage is told, and no example replaces what was typed", "[cli][usage][refusal]") {
  struct Usage {
    std::vector<std::string> arguments;
    std::string works;  // empty: what is meant is not known
  };
  const std::vector<Usage> wrong{
      {{}, "jute gemm --m 256 --n 256 --k 64 --random 1 --type f32 --verify"},
      {{"no-such-command"}, ""},
      {{"eval"}, "jute eval 'composition((4,8):(8,1),(2,4):(4,1))'"},
      {{"eval", "8:1", "--no-such-flag"}, ""},
      {{"eval", "8:1", "--color", "sometimes"}, ""},
      {{"source", "--m", "twelve"}, ""},
      {{"plan", "--order-a", "diagonal"}, ""},
      {{"gemm", "--random", "-1", "--m", "8", "--n", "8", "--k", "8"},
       "jute gemm --random 0 --m 8 --n 8 --k 8"},
      {{"gemm", "--device", "abacus"}, ""},
      {{"atom"}, "jute atom show SM80_16x8x16_F32F16F16F32_TN"},
      {{"atom", "list", "--arch"}, "jute atom list --arch sm_80"},
      {{"emulate"}, "jute emulate examples/emulate/iota.ptx --launch examples/emulate/launch.json"},
      {{"doctor", "--require", "abacus"}, ""},
      {{"eval", "8:1", "--quiet", "--verbose"}, ""},
  };
  for (const Usage& usage : wrong) {
    const ProcessResult result = run_jute(usage.arguments);
    require_refusal(result, 2, "jute: usage: ");
    const size_t at = result.err.find("\ntry: ");
    CHECK((at == std::string::npos ? "" : result.err.substr(at + 6)) ==
          (usage.works.empty() ? "" : usage.works + "\n"));
  }
}

TEST_CASE("the command that wrong usage offers works", "[cli][usage]") {
  const ProcessResult wrong = run_jute({"eval"});
  const std::string offer = "try: jute eval 'composition((4,8):(8,1),(2,4):(4,1))'\n";
  CHECK(wrong.err.ends_with(offer));
  const ProcessResult right = run_jute({"eval", "composition((4,8):(8,1),(2,4):(4,1))"});
  CHECK(right.status == 0);
}

TEST_CASE("a word that fits nowhere is told with what was probably meant",
          "[cli][usage][refusal]") {
  struct Slip {
    std::vector<std::string> arguments;
    std::string told, works;
  };
  const std::string of_eval = "it must be an option of jute eval, which --help lists\n";
  const std::string shape = " --m 256 --n 256 --k 256";  // without which a plan is refused again
  const std::vector<Slip> slips{
      {{"evla", "8:1"}, "command = evla: it must be one of eval, explain, atom, ", "jute eval 8:1"},
      {{"cache", "clera"},
       "command = clera: it must be one of path, list, verify, clear, warm, pack (nearest legal: "
       "clear)",
       "jute cache clear"},
      {{"-V"}, "option = -V: ", ""},
      {{"-V", "eval", "8:1"}, "option = -V: ", "jute -v eval 8:1"},
      {{"--verison"}, "option = --verison: ", "jute --version"},
      {{"--jsno", "eval", "8:1"}, "option = --jsno: ", "jute --json eval 8:1"},
      {{"plan", "--orderr-a", "col"}, "option = --orderr-a: ", "jute plan --order-a col" + shape},
      {{"plan", "--orderr-a=col"}, "option = --orderr-a: ", "jute plan --order-a=col" + shape},
      {{"emulate", "k.ptx", "--lanuch", "l.json"},
       "option = --lanuch: ",
       "jute emulate k.ptx --launch l.json"},
      {{"eval", "8:1", "-z"}, "option = -z: " + of_eval, ""},
      {{"eval", "8:1", "--version"}, "option = --version: " + of_eval, ""},
      {{"plan", "-arch", "sm_80"}, "option = -arch: ", "jute plan --arch sm_80" + shape},
      {{"eval", "8:1", "9:1", "7:1"}, "arguments = 9:1 7:1: jute eval must be given no more", ""},
  };
  for (const Slip& slip : slips) {
    const ProcessResult result = run_jute(slip.arguments);
    require_refusal(result, 2, "jute: usage: " + slip.told);
    if (slip.works.empty()) CHECK(result.err.find("\ntry: ") == std::string::npos);
    if (!slip.works.empty()) CHECK(result.err.ends_with("\ntry: " + slip.works + "\n"));
  }
}

TEST_CASE("an option that is given twice is told so, wherever it stands", "[cli][usage][refusal]") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--color", "never", "--color", "auto", "eval", "8:1"},
        {"eval", "--color", "never", "8:1", "--color", "auto"}}) {
    const ProcessResult result = run_jute(words);
    // Which of them was meant is not known.
    require_refusal(result, 2, "jute: usage: --color: it must be given once\n");
    CHECK(result.err.find("\ntry: ") == std::string::npos);
  }
  require_refusal(run_jute({"--", "gemm", "--m", "3", "--m", "on"}), 2,
                  "--m: it must be given once\n");
  require_refusal(run_jute({"bench", "--try", "stages=4", "--try"}), 2,
                  "--try: it needs a value, CONFIG\n");
}

TEST_CASE("what is no ASCII is shown as it was typed, with the caret below it",
          "[cli][usage][refusal]") {
  CHECK(run_jute({"eval", "(4,\u2212x)"}).err.find("(4,\u2212x)\n   ^\n") != std::string::npos);
  CHECK(run_jute({"epilogue", "acc \u2212 1"}).err.find("acc \u2212 1\n    ^\n") !=
        std::string::npos);
}

TEST_CASE("a value that does not fit is told before a word that fits nowhere",
          "[cli][usage][refusal]") {
  require_refusal(run_jute({"plan", "--m", "twelve", "--nn", "3"}), 2, "--m = twelve");
}

TEST_CASE("help has an example on every level and goes to standard output", "[cli][usage]") {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"--help"},
                                                                     {"eval", "--help"},
                                                                     {"atom", "--help"},
                                                                     {"atom", "list", "--help"},
                                                                     {"atom", "show", "--help"},
                                                                     {"draw", "--help"},
                                                                     {"plan", "--help"},
                                                                     {"source", "--help"},
                                                                     {"ptx", "--help"},
                                                                     {"cubin", "--help"},
                                                                     {"sass", "--help"},
                                                                     {"gemm", "--help"},
                                                                     {"emulate", "--help"},
                                                                     {"cache", "--help"},
                                                                     {"cache", "clear", "--help"},
                                                                     {"doctor", "--help"}}) {
    const ProcessResult result = run_jute(arguments);
    INFO(arguments[0]);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK(result.out.find("Example:\n  jute ") != std::string::npos);
    CHECK(result.out.find("--json") != std::string::npos);
  }
}

TEST_CASE("help begins with an example and the usual words, and names where the others are",
          "[cli][usage]") {
  const auto lines_of = [](const std::vector<std::string>& words) {
    const ProcessResult result = run_jute(words);
    INFO(result.err);
    CHECK(result.status == 0);
    CHECK(result.out.find("Excludes") == std::string::npos);
    return std::pair(result.out, std::ranges::count(result.out, '\n'));
  };
  const auto [usual, usual_lines] = lines_of({"gemm", "--help"});
  CHECK(usual_lines < 45);
  CHECK(usual.find("Example:\n  jute gemm") < 80);
  for (const char* word : {"--m INT", "--a A.npy", "--random SEED", "--verify", "--type TEXT",
                           "  scales ", "  groups ", "  choices ", "  ranks ", "--help-all"})
    CHECK(usual.find(word) != std::string::npos);
  CHECK(usual.find("--zero-a NUMBER") == std::string::npos);
  const auto [all, all_lines] = lines_of({"gemm", "--help-all"});
  CHECK(all_lines > 2 * usual_lines);
  for (const char* group : {"scales", "groups", "choices", "ranks"}) {
    const auto [text, lines] = lines_of({"gemm", "--help", group});
    CHECK(lines < 50);
    CHECK(all.find(text) != std::string::npos);
  }
  CHECK(lines_of({"gemm", "--help", "scales"}).first.find("--zero-a NUMBER") != std::string::npos);
  require_refusal(run_jute({"gemm", "--help", "scalse"}), 2, "(nearest legal: scales)");
  const std::string top = lines_of({"--help"}).first;
  for (const char* heading :
       {"\nLook:\n", "\nPlan:\n", "\nRun:\n", "\nEmulate:\n", "\nShip:\n", "\nMachine:\n"})
    CHECK(top.find(heading) != std::string::npos);
}

TEST_CASE("the version is one line", "[cli][usage]") {
  const ProcessResult result = run_jute({"--version"});
  CHECK(result.status == 0);
  CHECK(result.out == "jute 0.1.0\n");
}

TEST_CASE("common flags stand before or after the subcommand", "[cli][usage]") {
  const std::string expected = "{\"expression\":\"size(8:1)\",\"result\":\"8\"}\n";
  CHECK(run_jute({"--json", "eval", "size(8:1)"}).out == expected);
  CHECK(run_jute({"eval", "size(8:1)", "--json"}).out == expected);
}

TEST_CASE("a full disk is noticed", "[cli][usage]") {
  const ProcessResult result =
      run_process({"/bin/sh", "-c", std::string(JUTE_COMMAND) + " eval 8:1 > /dev/full"});
  CHECK(result.status == 3);
  CHECK(result.err.starts_with("jute: unwritable: "));
}

TEST_CASE("a wrong environment variable is refused by its name", "[cli][usage][refusal]") {
  const ProcessResult result =
      run_jute({"cache", "path"}, {.environment = {{"JUTE_CACHE", "sometimes"}}});
  require_refusal(result, 2, "JUTE_CACHE = sometimes");
}

TEST_CASE("every kind of refusal has the exit status of its group", "[cli][usage]") {
  using command::exit_status;
  for (int i = 0; i <= static_cast<int>(ErrorCode::internal); ++i) {
    const auto code = static_cast<ErrorCode>(i);
    int expected = 2;
    if (code == ErrorCode::check_failed) expected = 1;
    if (code >= ErrorCode::unwritable && code <= ErrorCode::no_gpu) expected = 3;
    if (code > ErrorCode::signature_mismatch && code != ErrorCode::check_failed) expected = 4;
    INFO(code_name(code));
    CHECK(exit_status(code) == expected);
  }
}

TEST_CASE("the demo prints its lines as a shell takes them", "[cli][usage]") {
  const ProcessResult shown = run_process(
      {"bash", "-c",
       "source <(sed -n '/^show()/,/^}/p' " JUTE_SOURCE_DIR "/tools/demo); jute=true; show draw "
       "'composition(recast_layout(a,16,128),(8:1,8:1))' -o a.svg"});
  CHECK(shown.out == "\n$ jute draw 'composition(recast_layout(a,16,128),(8:1,8:1))' -o a.svg\n");
}

TEST_CASE("products are planned, compiled and run where threads get little stack", "[cli][usage]") {
  for (const char* const line :
       {"plan --problem 'M=64 N=64 K=256 A=bf16 B=u4:col scale_b=f32:col:block1x32'",
        "gemm --m 40 --n 48 --k 56 --type f32 --random 1 --device emulator --verify"}) {
    const ProcessResult result =
        run_process({"bash", "-c", std::string("ulimit -s 256; exec " JUTE_COMMAND " ") + line});
    INFO(line << result.err);
    CHECK(result.status == 0);
  }
}
