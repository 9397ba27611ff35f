#pragma once
// Epilogues that a seed grows, in kernels and problems that it draws, and their second judge.
#include "support/gemm_case.hpp"
#include "support/plain_epilogue.hpp"

#include <cstdint>
#include <string>

namespace jute::test {

/// What a tree may be made of.
struct EpilogueGrowth {
  DType accumulate = DType::f32;
  DType out = DType::f32;        ///< D's type
  bool has_small_floats = true;  ///< e4m3 and e5m2 in memory (sm_89)
  bool whole = false;            ///< what stays in integers, mostly
};
[[nodiscard]] PlainEpilogue random_epilogue(std::uint64_t seed, const EpilogueGrowth& growth);

/// The epilogue as a problem's: the library's reading of its text, operands as the tree says.
void put_into(Problem& problem, const PlainEpilogue& epilogue);

/// A problem with an epilogue, for the chip that it is drawn for; runs of it differ in their data.
struct EpilogueCase {
  PlainEpilogue epilogue;
  GemmCase gemm;
  std::string chip;  ///< a device preset
};
[[nodiscard]] EpilogueCase random_epilogue_case(std::uint64_t seed);
/// The same with other factors and numbers; beta is 0 in every second.
void draw_run(EpilogueCase& drawn, std::uint64_t seed);

/// Everything that the case's epilogue reads, as its memory holds it.
[[nodiscard]] PlainReads reads_of(const EpilogueCase& drawn, const CaseData& data, double roundoff);

struct EpilogueJudgement {
  std::string wrong;              ///< the first value that is; empty: none
  Index judged = 0, skipped = 0;  ///< values, and those of which nothing is known
  void add(const EpilogueJudgement& other);
};
/// Of what an output of so many rows and columns holds.
using PlainMemory = std::function<double(Index batch, Index row, Index col)>;
[[nodiscard]] EpilogueJudgement judged(const PlainOutput& output, const PlainResult& result,
                                       Index batch, const PlainMemory& memory);
[[nodiscard]] EpilogueJudgement judged(const EpilogueCase& drawn, const CaseData& data,
                                       const CaseOutcome& outcome);

}  // namespace jute::test
