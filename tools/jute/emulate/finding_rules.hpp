#pragma once
// What each code of a finding means, in a few words.
#include <array>
#include <string_view>

namespace jute::command {

struct FindingRule {
  std::string_view code, text;
};

// clang-format off
inline constexpr std::array kFindingRules{
    FindingRule{"M1",  "an access out of bounds"},
    FindingRule{"M2",  "a misaligned access"},
    FindingRule{"M3",  "a value is used that was never written"},
    FindingRule{"M4",  "a result that no kernel wrote"},
    FindingRule{"M5",  "a write to constant memory"},
    FindingRule{"M6",  "an access to the shared memory of a block that has ended"},
    FindingRule{"M7",  "free of what no malloc gave, or twice"},
    FindingRule{"M8",  "no texture or surface object of this geometry, or a place outside a surface"},
    FindingRule{"R1",  "two accesses of two warps or blocks that nothing orders"},
    FindingRule{"R2",  "two accesses of two lanes of a warp that nothing orders"},
    FindingRule{"R3",  "the asynchronous proxy uses a write without a proxy fence"},
    FindingRule{"R5",  "the source of a bulk store is rewritten too early"},
    FindingRule{"R6",  "memory is rewritten while asynchronous work uses it"},
    FindingRule{"R7",  "a register of wgmma is touched too early, or used without a fence"},
    FindingRule{"R9",  "bytes are read before the copy that writes them was waited for"},
    FindingRule{"R10", "an overlapping launch touches what those before it use"},
    FindingRule{"R11", "ranks touch memory that they share without a flag of system scope between"},
    FindingRule{"R12", "a flag between ranks has a scope that does not reach them"},
    FindingRule{"P1",  "an mbarrier's arrivals are wrong"},
    FindingRule{"P2",  "an mbarrier's bytes are wrong"},
    FindingRule{"P4",  "a divergent or mismatched barrier"},
    FindingRule{"P5",  "setmaxnreg is misused"},
    FindingRule{"P6",  "warps of a warpgroup issue different products"},
    FindingRule{"P7",  "a bulk copy that hardware refuses"},
    FindingRule{"P8",  "a block ends beside asynchronous work or while a neighbour may reach into it"},
    FindingRule{"P10", "lanes outside a member mask, or missing from it"},
    FindingRule{"P12", "a deadlock, or a block without end"},
    FindingRule{"P14", "a bulk copy writes past the end of a row"},
    FindingRule{"P15", "a dependent launch is released or ended wrongly"},
    FindingRule{"P16", "a wgmma descriptor holds the block's rank"},
    FindingRule{"X1",  "the kernel stopped itself"},
    FindingRule{"X2",  "a jump outside its table, or a call through a pointer to no function"},
    FindingRule{"X3",  "a failed assertion"},
    FindingRule{"mismatch", "memory does not hold what was expected"},
};
// clang-format on

/// Empty for a code that stands in no row.
[[nodiscard]] constexpr std::string_view rule_text(std::string_view code) {
  for (const FindingRule& rule : kFindingRules)
    if (rule.code == code) return rule.text;
  return {};
}

}  // namespace jute::command
