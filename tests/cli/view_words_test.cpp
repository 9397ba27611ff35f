// Views of operands, explained and drawn; and other programs' words for layouts.
#include "cli/command.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("jute explain says what a View does", "[cli][explain][view]") {
  const ProcessResult rows = run_jute({"explain", "view[(128,64):(72,1)]"});
  CHECK(rows.status == 0);
  CHECK(rows.out ==
        "(128,64):(72,1)\nrows 128: 128 steps of 72.\ncolumns 64: 64 steps of 1.\n"
        "It names elements 0…9207 of memory.\n"
        "It is a matrix by rows, 72 elements from one to the next.\n");
  const ProcessResult padded =
      run_jute({"explain", "(8,3):(1@0,1@0);box=(8):(1);origin=(-1);outside=zero"});
  CHECK(padded.out.find("columns 3: 3 steps of 1 along dimension 0.") != std::string::npos);
  CHECK(padded.out.find("8 places 1 elements apart; outside of it are zeros.") !=
        std::string::npos);
  CHECK(padded.out.find("In the fewest words it is (8,3):(1@0,1@0);box") != std::string::npos);
  CHECK(run_jute({"explain", "view[(4,4):(1,1)]", "--json"}).out.starts_with("{"));
  require_refusal(run_jute({"explain", "(8,3):(-1,1);origin=(2)"}), 2, "origin=(7)");
}

TEST_CASE("jute draw shows a View's elements, and where zeros stand for them",
          "[cli][draw][view]") {
  const ProcessResult result =
      run_jute({"draw", "(4,3):(1@0,1@0);box=(4):(2);origin=(-1);outside=zero"});
  CHECK(result.status == 0);
  for (const char* row : {"0 │ . 0 2\n", "1 │ 0 2 4\n", "2 │ 2 4 6\n", "3 │ 4 6 .\n"})
    CHECK(result.out.find(row) != std::string::npos);
  const TemporaryFolder folder;
  const std::string file = folder.file("view.svg");
  const ProcessResult picture =
      run_jute({"draw", "view[(4,3):(3,1)]", "--color-by", "value", "--coordinates", "-o", file});
  INFO(picture.err);
  CHECK(picture.status == 0);
  CHECK(command::read_text(file).starts_with("<svg "));
  require_refusal(run_jute({"draw", "view[(4,3):(3,1)]", "--banks", "f32"}), 2, "alone");
  require_refusal(run_jute({"draw", "view[(4,3):(3,1)]", "-o", folder.file("view.tex")}), 2,
                  ".svg");
  require_refusal(run_jute({"draw", "view[(300,300):(300,1)]"}), 2, "at most 65536");
}

TEST_CASE("torch's words for a layout are read, einsum's lead to where they are drawn",
          "[cli][explain]") {
  const std::string own = run_jute({"explain", "(2,3,4):(12,4,1)"}).out;
  for (const char* words : {"torch.Size([2, 3, 4]), (12, 4, 1)", "size=(2, 3, 4) stride=(12, 4, 1)",
                            "shape=(2,3,4), stride=(12,4,1)"})
    CHECK(run_jute({"explain", words}).out == own);
  CHECK(run_jute({"draw", "torch.Size([4, 8]), (8, 1)"}).out ==
        run_jute({"draw", "(4,8):(8,1)"}).out);
  require_refusal(run_jute({"explain", "ij,jk->ik"}), 2, "jute contract 'ij,jk->ik' --draw");
}

TEST_CASE("complex numbers are refused by name", "[cli][refusal]") {
  for (const char* type : {"c64", "complex64", "complex128"})
    require_refusal(run_jute({"plan", "--m", "8", "--n", "8", "--k", "8", "--type", type}), 2,
                    "real and imaginary parts");
}

TEST_CASE("a convolution's images may be a range", "[cli][convolution]") {
  const ProcessResult result = run_jute({"plan", "--conv", "x=1:2x6x6x8 w=16x3x3 padding=1",
                                         "--type", "bf16", "--device-preset", "h200"});
  CHECK(result.status == 0);
  const ProcessResult run =
      run_jute({"gemm", "--conv", "x=1:2x6x6x8 w=16x3x3 padding=1", "--type", "bf16", "--random",
                "1", "--integers", "--device", "emulator", "--verify"});
  INFO(run.out << run.err);
  CHECK(run.status == 0);
}
