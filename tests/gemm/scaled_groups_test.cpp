// Groups of converted operands: every stored type by every form of scales by every kind of groups
// that parts of operands may have, and both operands converted at once.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/gemm_case.hpp"
#include "support/scaled_problem.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/values/plan.hpp>

#include <array>
#include <string>

using namespace jute;
using namespace jute::test;

namespace {

struct Kind {
  const char *extents, *groups;
  std::vector<Index> ends;
  bool is_weight_a = false;  ///< which operand each group has for itself
};

const std::array kKinds{
    Kind{"M=70 N=40 K=128 batch=4", "rows", {33, 33, 34, 70}},
    Kind{"M=40 N=70 K=128 batch=4", "cols", {1, 20, 20, 69}, true},
    Kind{"M=24 N=40 K=128 batch=3", "masked_rows", {3, 0, 24}},
};

/// What one operand has, in words of a problem: `x` stands for its letter.
std::string operand_words(const char* letter, const char* type, std::string numbers) {
  const bool is_a = *letter == 'a';
  for (size_t at = numbers.find('x'); at != std::string::npos; at = numbers.find('x', at + 1))
    if (at > 0 && numbers[at - 1] == '_') numbers.replace(at, 1, letter);
  return std::string(is_a ? " A=" : " B=") + type + (is_a ? "" : ":col") + " " + numbers;
}

std::string outcome_of(Context& context, const std::string& problem, const std::string& config,
                       const std::vector<Index>& ends, Fill fill) {
  GemmCase one;
  one.problem = parse_problem(problem);
  one.config = parse_config(config);
  one.ends = ends;
  one.fill = fill;
  const std::string failure = describe(one, run_case(context, one, make_data(one)));
  return failure.empty() ? "" : problem + " | " + config + ": " + failure + "\n";
}

}  // namespace

TEST_CASE("groups convert every type of weights by every form of scales",
          "[gemm][scaled][groups][table]") {
  Context context(open_emulator({.device = device_preset("h200")}), with_kept_kernels());
  struct Weights {
    const char *type, *zero, *zeros;  ///< one number for all, one a block
  };
  std::string wrong;
  int type_place = 0;
  for (const auto& [type, zero, zeros] : {Weights{"s4", "zero_x=-2", "zero_x=s4:block1x32"},
                                          {"u4", "zero_x=8", "zero_x=u4:block1x32"},
                                          {"s8", "zero_x=3", "zero_x=s8:block16x64"},
                                          {"u8", "zero_x=128", "zero_x=u8:blockall"},
                                          {"e4m3", "zero_x=1.5", ""},
                                          {"e5m2", "zero_x=2", ""},
                                          {"e2m1", "zero_x=0.5", ""}}) {
    ++type_place;
    const std::array forms{std::string(),
                           std::string(zero),
                           std::string("scale_x=bf16:block1x32 ") + zeros,
                           std::string("scale_x=f32:col:block16x64 ") + zero,
                           std::string("scale_x=ue8m0:block1xall"),
                           std::string("scale_x=e4m3:col:block8x128:broadcast")};
    for (const Kind& kind : kKinds)
      for (const std::string& form : forms) {
        // Each form of each type in some kind of groups, and each form in each kind.
        const auto place = &form - forms.data();
        if ((type_place + (&kind - kKinds.data()) + place) % 2 != 0) continue;
        const std::string both =
            kind.is_weight_a ? operand_words("a", type, form) + operand_words("b", "bf16", "")
                             : operand_words("a", "bf16", "") + operand_words("b", type, form);
        const bool by_registers = place >= 3;
        wrong +=
            outcome_of(context, std::string(kind.extents) + both + " D=bf16 groups=" + kind.groups,
                       by_registers ? "main_loop=register_staged" : "", kind.ends,
                       by_registers ? Fill::integers : Fill::normal);
      }
  }
  CHECK(wrong == "");
}

TEST_CASE("groups convert activations and weights at once", "[gemm][scaled][groups][table]") {
  std::string wrong;
  for (const char* const chip : {"h200", "a100"}) {
    Context context(open_emulator({.device = device_preset(chip)}), with_kept_kernels());
    struct Row {
      const char *a, *of_a, *b, *of_b;
    };
    for (const auto& [a, of_a, b, of_b] :
         {Row{"e4m3", "", "s4", "scale_x=bf16:col:block1x32"},
          Row{"e4m3", "scale_x=f32:col:block1x128", "u4", "scale_x=f32:block1x64 zero_x=8"},
          Row{"s8", "scale_x=f32:block1xall", "s4", "scale_x=bf16:block1xall"},
          Row{"u8", "zero_x=u8:block1xall", "s8", "scale_x=bf16:blockall"},
          // Neither has scales of sums: blocks of 16 along K, zero points.
          Row{"e4m3", "scale_x=f32:block1x16", "e4m3", "scale_x=f32:col:block1x16"},
          Row{"e5m2", "zero_x=1", "e4m3", "scale_x=ue8m0:block1x32"}})
      for (const Kind& kind : kKinds)
        for (const char* const config : {"", "main_loop=register_staged"})
          wrong += outcome_of(context,
                              std::string(kind.extents) + operand_words("a", a, of_a) +
                                  operand_words("b", b, of_b) +
                                  " staged=bf16 D=f32 groups=" + kind.groups,
                              config, kind.ends, Fill::normal);
  }
  CHECK(wrong == "");
}

TEST_CASE("random converted operands of groups, a third with epilogues, come out right",
          "[gemm][scaled][groups][random]") {
  Context context(open_emulator({.device = device_preset("h200")}), with_kept_kernels());
  const int count = draws(40);
  std::string wrong;
  for (int index = 0; index < count; ++index)
    for (const auto case_of : {converted_group_case, copied_group_case, converted_epilogue_case}) {
      const GemmCase one = case_of(index);
      const std::string failure = describe(one, run_case(context, one, make_data(one)));
      if (!failure.empty()) wrong += std::to_string(index) + ": " + failure + "\n";
    }
  CHECK(wrong == "");
}

TEST_CASE("another group's scale than the kernel's is found, of either operand",
          "[gemm][scaled][groups]") {
  Context context(open_emulator({.device = device_preset("h200")}), with_kept_kernels());
  GemmCase one;
  one.problem = parse_problem(
      "M=70 N=40 K=128 batch=4 A=e4m3 B=s4:col scale_a=f32:col:block1x128 "
      "scale_b=f32:col:block1x128 staged=bf16 D=f32 groups=rows alpha=1 beta=0");
  one.ends = {33, 33, 34, 70};
  const CaseData data = make_data(one);
  REQUIRE(run_case(context, one, data).failures.empty());
  // Row 33 of A, and column 2 of the third group's B.
  for (const auto& [part, at] : {std::pair{&CaseData::scale_a, size_t{4 * 33 + 3}},
                                 std::pair{&CaseData::scale_b, size_t{4 * (2 * 40 + 2) + 3}}}) {
    CaseData other = data;
    (other.*part)[at] ^= std::byte{0x40};
    CHECK_FALSE(run_case(context, one, other).failures.empty());
  }
}

TEST_CASE("groups whose operands no thread converts on its way have copies of them",
          "[gemm][scaled][groups][table]") {
  std::string wrong;
  for (const char* const chip : {"h200", "a100"}) {
    Context context(open_emulator({.device = device_preset(chip)}), with_kept_kernels());
    for (const Kind& kind : kKinds)
      for (const char* const words :
           {"A=bf16 B=s4:row scale_b=bf16:block1x32", "A=bf16:col B=u4:row zero_b=8",
            "A=f32 B=s8:col scale_b=f32:block16x24", "A=f32 B=f32 staged=bf16",
            "A=s8 B=s4:col D=s32", "A=s4 zero_a=3 B=s8:row D=s32",
            "A=f16 B=e5m2 staged=tf32 scale_b=f32:block1xall"}) {
        const bool is_whole = std::string(words).find("s32") != std::string::npos;
        wrong += outcome_of(context,
                            std::string(kind.extents) + " " + words + (is_whole ? "" : " D=f32") +
                                " groups=" + kind.groups,
                            "", kind.ends, is_whole ? Fill::integers : Fill::normal);
      }
    for (const char* const words :
         {"A=bf16 B=s4:col scale_b=bf16:block1x32", "A=s8:col B=s4:row D=s32"})
      wrong += outcome_of(context,
                          std::string("M=70 N=40 K=77 batch=4 groups=rows ") + words +
                              (std::string(words).find("s32") == std::string::npos ? " D=f32" : ""),
                          "", kKinds[0].ends, Fill::integers);
  }
  CHECK(wrong == "");
}
