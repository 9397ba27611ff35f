// An option that is given is used or refused.
#include "support/given_options.hpp"
#include "cli/command.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("options that would do nothing are refused by name", "[cli][usage][refusal]") {
  const std::string groups = "gemm --groups rows --count 4 --bound 30 --n 16 --k 16 --random 1 ";
  const std::string product = "gemm --m 16 --n 16 --k 16 --random 1 ";
  for (const auto& [line, part] : {
           std::pair{groups + "--ends nothere.npy",
                     "--ends: it must be left out without --a or --b"},
           {groups + "--counts nothere.npy", "--counts: it must be left out without --a or --b"},
           {groups + "--row-groups nothere.npy",
            "--row-groups: it must be left out without --a or --b"},
           {groups + "--batch 4", "--batch: it must be left out: --count says"},
           {groups + "--m 20", "--m: it must be left out: --bound says"},
           {product + "--scale-b sc.npy", "--scale-b = sc.npy: it must be a type"},
           {std::string("plan --m 16 --n 16 --k 16 --zero-a z.npy"),
            "--zero-a = z.npy: it must be"},
           {product + "--timeout 1", "--timeout: it must be left out without --mesh"},
           {product + "--transport-sms 4", "--transport-sms: it must be left out without --mesh"},
           {product + "--place A=M@tp", "--place: it must be left out without --mesh"},
           {product + "--product 1", "--product: it must be left out without --from"},
           {std::string("gemm --from one --random 1 --type s8"),
            "--type: it must not stand beside --from"},
           {std::string("gemm --from one --random 1 --epilogue acc"),
            "--epilogue: it must not stand beside --from"},
           {std::string("gemm --from one --random 1 --tile 16x16x16"),
            "--tile: it must not stand beside --from"},
           {std::string("gemm --from one --random 1 -o d.npy"),
            "--output: it must not stand beside --from"},
       }) {
    INFO(line);
    require_refusal(run_jute(command_words(line)), 2, part);
  }
}

TEST_CASE("each option of a line changes what it does, or is refused", "[cli][usage]") {
  constexpr int kEvery = 40;  // all of them in the soak test
  OptionLines lines;
  std::string idle;
  int first = 0;
  for (const std::string_view line : kOptionLines) idle += lines.idle(line, kEvery, first += 7);
  CHECK(idle == "");
  CHECK(lines.tried() > 60);
}
