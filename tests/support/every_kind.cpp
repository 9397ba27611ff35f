// Draws what other tests run, and large products as people write them.
#include "support/every_kind.hpp"

#include <jute/base/error.hpp>
#include <jute/codegen/generate.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/notation/contraction.hpp>
#include <jute/plan/notation/convolution.hpp>

#include <array>
#include <sstream>
#include <utility>
#include <vector>

#include "support/chance.hpp"
#include "support/compiler.hpp"
#include "support/each_cases.hpp"
#include "support/epilogue_cases.hpp"
#include "support/gated_cases.hpp"
#include "support/grouped_cases.hpp"
#include "support/notation_run.hpp"
#include "support/plain_convolution.hpp"
#include "support/random_contraction.hpp"
#include "support/row_table_cases.hpp"
#include "support/scaled_problem.hpp"
#include "support/viewed_cases.hpp"

namespace jute::test {
namespace {

CaseTypes types_at(int index) {
  using enum DType;
  static constexpr std::array<CaseTypes, 10> kTypes{{{f32, f32, f32, f32, f32},
                                                     {bf16, bf16, bf16, bf16, f32},
                                                     {f16, f16, f32, f32, f32},
                                                     {f16, f16, f16, f16, f16},
                                                     {tf32, tf32, f32, f32, f32},
                                                     {f64, f64, f64, f64, f64},
                                                     {s8, s8, s32, s32, s32},
                                                     {u8, u8, s32, s32, s32},
                                                     {e4m3, e4m3, bf16, bf16, f32},
                                                     {e5m2, e5m2, f16, f16, f32}}};
  return kTypes.at(static_cast<std::size_t>(index) % kTypes.size());
}

template <GemmCase (*draw)(const CaseTypes&, int)>
GemmCase typed(int index) {
  return draw(types_at(index), index);
}

GemmCase as_planned(Problem problem) { return {.problem = std::move(problem), .config = {}}; }

GemmCase own_groups(int index) { return as_planned(each_case(types_at(index), index).problem); }
GemmCase scaled_own_groups(int index) { return as_planned(scaled_each_case(index).problem); }

GemmCase contracted(int index) {
  const auto seed = static_cast<std::uint64_t>(index);
  const RandomContraction made = random_contraction(seed);
  return as_planned(
      contraction(parse_subscripts(made.text), made.operands, like_types(exact_types(seed)))
          .problem);
}

GemmCase convolved(int index) {
  const auto seed = static_cast<std::uint64_t>(index);
  const Convolution made = random_convolution(seed);
  const Problem like = like_types(exact_types(seed));
  return as_planned(index % 2 == 0 ? convolution(made, like)
                                   : convolution_filter_gradient(made, like));
}

GemmCase with_epilogue(int index) {
  Chance chance(static_cast<std::uint64_t>(index));
  const auto at = [&](const auto& rows) {
    return rows.at(static_cast<std::size_t>(chance.below(std::ssize(rows))));
  };
  GemmCase result = case_of(at(kEpilogueKernels), at(kEpilogues), static_cast<unsigned>(index));
  result.config = {};  // as planned
  return result;
}

/// A word that makes a large product another one, behind its extents and before them.
struct LargeWord {
  const char *words, *m = nullptr;
};
constexpr std::array kLargeWords{LargeWord{""},
                                 LargeWord{"batch=3"},
                                 LargeWord{"", "M=1:512"},
                                 LargeWord{"batch=8 groups=rows"},
                                 LargeWord{"batch=8 groups=cols"},
                                 LargeWord{"batch=8 groups=k"},
                                 LargeWord{"batch=8 groups=masked_rows"},
                                 LargeWord{"batch=8 groups=each beta=0"},
                                 LargeWord{"epilogue=\"gelu(acc + bias[n])\""},
                                 LargeWord{"epilogue=\"d = acc; s = row_sum[m](acc)\""},
                                 LargeWord{"epilogue=\"silu(gate)*acc\" gate=pairs"},
                                 LargeWord{"epilogue=\"d = acc - a_sum[m]\""}};
constexpr std::array kLargeTypes{
    "A=f32",
    "A=f32 precision=tf32x3",
    "A=f32 precision=bf16x6",
    "A=tf32",
    "A=f64",
    "A=bf16",
    "A=f16 accumulate=f16",
    "A=s8",
    "A=e4m3 D=bf16 scale_a=f32:col:block1x128 scale_b=f32:block128x128",
    "A=bf16 B=u4 D=bf16 zero_b=8 scale_b=bf16:block1x128",
    "A=f16 B=e2m1 D=f16 scale_b=ue8m0:block1x32"};

/// Extents at which every family of kernels has its products.
GemmCase large(int index) {
  Chance chance(static_cast<std::uint64_t>(index) * 7919 + 3);
  const auto at = [&](const auto& rows) {
    return rows.at(static_cast<std::size_t>(chance.below(std::ssize(rows))));
  };
  const LargeWord word = at(kLargeWords);
  std::istringstream types(at(kLargeTypes));
  std::ostringstream text;
  text << (word.m != nullptr ? word.m
                             : "M=" + std::to_string(chance.from<Index>({1, 16, 200, 512, 4096})))
       << " N=" << chance.from<Index>({64, 512, 1000, 4096})
       << " K=" << chance.from<Index>({128, 512, 4096}) << ' ' << word.words;
  bool has_b = false;
  for (std::string each; types >> each;) {
    if (each.starts_with("B=")) has_b = true;
    const bool is_matrix = each.starts_with("A=") || each.starts_with("B=");
    text << ' ' << each << (is_matrix && chance.one_in(2) ? ":col" : "");
  }
  if (!has_b && chance.one_in(2)) text << " B=col";
  return as_planned(parse_problem(text.str()));
}

constexpr std::array kKinds{ProductKind{"large", &large},
                            ProductKind{"plain", &typed<random_case>},
                            ProductKind{"view", &typed<viewed_case>},
                            ProductKind{"view by TMA", &boxed_view_case},
                            ProductKind{"contraction", &contracted},
                            ProductKind{"convolution", &convolved},
                            ProductKind{"large again", &large},
                            ProductKind{"groups", &typed<grouped_case>},
                            ProductKind{"own groups", &own_groups},
                            ProductKind{"tables of rows", &typed<row_table_case>},
                            ProductKind{"gate", &typed<gated_case>},
                            ProductKind{"converted", &scaled_case},
                            ProductKind{"scaled sums", &scaled_product_case},
                            ProductKind{"converted fragments", &fragments_case},
                            ProductKind{"converted groups", &converted_group_case},
                            ProductKind{"copied groups", &copied_group_case},
                            ProductKind{"converted own groups", &scaled_own_groups},
                            ProductKind{"converted, epilogue", &converted_epilogue_case},
                            ProductKind{"epilogue", &with_epilogue}};

}  // namespace

std::span<const ProductKind> product_kinds() { return kKinds; }

Assembled assembled(const GemmCase& one, const DeviceInfo& chip) {
  static const Compiler compiler = test_compiler();
  Assembled result;
  std::vector<Plan> plans;
  try {
    plans = make_plans(one.problem, chip, one.config);
  } catch (const Exception&) {
    return result;
  }
  const auto add_fault = [&](std::string_view of, const Exception& refused) {
    result.faults += to_string(chip.arch) + ", " + to_string(one) + ", " + std::string(of) + ": " +
                     to_string(refused.error()) + "\n";
  };
  for (const Plan& plan : plans) {
    std::vector<Source> sources;
    try {
      sources = generate(plan);
    } catch (const Exception& refused) {
      add_fault("its text", refused);
    }
    for (const Source& source : sources) try {
        (void)compiler.compile(source, Output::lean);
        ++result.kernels;
      } catch (const Exception& refused) {
        add_fault(source.symbol, refused);
      }
  }
  return result;
}

}  // namespace jute::test
