// The faults, as rows: which instructions one applies to and what it makes of them.
#include "kernels/faults.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace jute::test {
namespace {

Rewritten as(const Statement& statement) { return to_string(statement) + ";"; }

/// The statement with a new modifier for an old one.
Rewritten with_modifier(Statement statement, const std::string& from, const std::string& to) {
  const size_t at = statement.opcode.find(from);
  if (at == std::string::npos) return std::nullopt;
  statement.opcode.replace(at, from.size(), to);
  return as(statement);
}

Rewritten with_operand(Statement statement, size_t index, const std::string& operand) {
  statement.operands[index] = operand;
  return as(statement);
}

bool is_number(const std::string& operand) {
  return !operand.empty() &&
         std::isdigit(static_cast<unsigned char>(operand[operand[0] == '-' ? 1 : 0])) != 0;
}

/// The statement after `operation` on one operand, `xor.b32 1` say: a number is computed here, a
/// register there.
Rewritten with_computed(const Statement& statement, size_t index, const std::string& operation,
                        const std::string& type, int value) {
  if (statement.operands.size() <= index) return std::nullopt;
  const std::string& operand = statement.operands[index];
  if (is_number(operand)) {
    const long long number = std::stoll(operand, nullptr, 0);
    return with_operand(statement, index,
                        std::to_string(operation == "xor" ? number ^ value : number + value));
  }
  return "{ .reg ." + type + " changed; " + operation + "." + type + " changed, " + operand + ", " +
         std::to_string(value) + "; " + *with_operand(statement, index, "changed") + " }";
}

/// `[%r1+8]` for `[%r1]`, `[%rd1+24, …]` for `[%rd1+16, …]`.
Rewritten with_offset(const Statement& statement, size_t index, int bytes) {
  if (statement.operands.size() <= index) return std::nullopt;
  std::string operand = statement.operands[index];
  const size_t name = operand.find_first_not_of(" [");
  if (operand[0] != '[' || operand.find(',') != std::string::npos) return std::nullopt;
  const size_t end = operand.find(']'), plus = operand.find('+', name);
  const size_t from = plus == std::string::npos ? end : plus;
  const int before = plus == std::string::npos ? 0 : std::stoi(operand.substr(plus + 1));
  operand.replace(from, end - from, "+" + std::to_string(before + bytes));
  return with_operand(statement, index, operand);
}

bool is_parity_wait(const Statement& s) { return s.is("mbarrier.try_wait.parity"); }
bool is_group_wait(const Statement& s) { return s.has(".wait_group") || s.has(".wait_all"); }
bool is_barrier(const Statement& s) {
  return s.is("bar.sync") || s.is("barrier.sync") || s.is("barrier.cluster") || s.is("bar.warp");
}
bool is_arrival(const Statement& s) {
  return s.is("mbarrier.arrive") || s.is("bar.arrive") || s.is("cp.async.mbarrier.arrive");
}
bool is_fence(const Statement& s) {
  return s.is("fence.") || s.is("membar") || s.is("wgmma.fence");
}
bool is_engine_copy(const Statement& s) {
  return (s.is("cp.async") || s.is("cp.reduce.async")) && s.operands.size() >= 2 &&
         !is_arrival(s) && !is_group_wait(s);
}
bool is_shared_access(const Statement& s) {
  return (s.is("ld.shared") || s.is("st.shared") || s.is("ldmatrix") || s.is("stmatrix") ||
          s.is("st.async") || s.is("red.") || s.is("atom.")) &&
         !s.operands.empty();
}
Rewritten drop_wait(const Statement& s) {
  // The loop around a test ends at once.
  if (s.is("mbarrier.try_wait") || s.is("mbarrier.test_wait"))
    return "setp.eq.u32 " + s.operands[0] + ", 0, 0;";
  return is_group_wait(s) || s.is("griddepcontrol.wait") ? Rewritten("") : std::nullopt;
}
Rewritten relax_wait(const Statement& s) {
  if (!is_group_wait(s) || s.operands.empty()) return std::nullopt;
  return with_computed(s, 0, "add", "b32", 1);
}
Rewritten flip_parity(const Statement& s) {
  return is_parity_wait(s) ? with_computed(s, 2, "xor", "b32", 1) : std::nullopt;
}
Rewritten drop_barrier(const Statement& s) { return is_barrier(s) ? Rewritten("") : std::nullopt; }
Rewritten drop_fence(const Statement& s) { return is_fence(s) ? Rewritten("") : std::nullopt; }
Rewritten drop_arrival(const Statement& s) {
  if (!is_arrival(s)) return std::nullopt;
  // A token that nobody gets would not be set.
  if (s.operands.size() > 1 && s.operands[0][0] == '%' && s.is("mbarrier.arrive"))
    return "mov.b64 " + s.operands[0] + ", 0;";
  return "";
}
Rewritten drop_commit(const Statement& s) {
  return s.has(".commit_group") ? Rewritten("") : std::nullopt;
}
Rewritten drop_operation(const Statement& s) {
  return is_engine_copy(s) || s.is("wgmma.mma") || s.is("st.") || s.is("red.") ? Rewritten("")
                                                                               : std::nullopt;
}

template <int kBytes>
Rewritten wrong_bytes(const Statement& s) {
  return s.has("expect_tx") ? with_computed(s, s.operands.size() - 1, "add", "s32", kBytes)
                            : std::nullopt;
}
template <int kMore>
Rewritten wrong_count(const Statement& s) {
  if (s.is("mbarrier.init")) return with_computed(s, 1, "add", "s32", kMore);
  if ((s.is("bar.sync") || s.is("bar.arrive")) && s.operands.size() == 2)
    return with_computed(s, 1, "add", "s32", 32 * kMore);
  return std::nullopt;
}
/// The mbarrier beside the right one.
Rewritten stage_off(const Statement& s) {
  if (is_parity_wait(s) || s.is("mbarrier.arrive")) return with_offset(s, 1, 8);
  if (s.is("cp.async.mbarrier.arrive")) return with_offset(s, 0, 8);
  if (s.has("mbarrier::complete_tx"))
    for (size_t i = s.operands.size(); i-- > 2;)
      if (s.operands[i][0] == '[') return with_offset(s, i, 8);
  return std::nullopt;
}
Rewritten shift_address(const Statement& s) {
  if (!is_engine_copy(s) && !is_shared_access(s)) return std::nullopt;
  const int bytes = s.has("matrix") || is_engine_copy(s) ? 16 : 4;
  for (size_t i = 0; i < s.operands.size(); ++i)
    if (s.operands[i][0] == '[')
      if (const Rewritten shifted = with_offset(s, i, bytes)) return shifted;
  return std::nullopt;
}
/// A box one line of memory away.
Rewritten shift_box(const Statement& s) {
  if (!s.has(".tensor")) return std::nullopt;
  for (size_t i = 0; i < s.operands.size(); ++i) {
    const size_t open = s.operands[i].find('{');
    if (s.operands[i][0] != '[' || open == std::string::npos) continue;
    const size_t comma = s.operands[i].find_first_of(",}", open);
    const std::string first = s.operands[i].substr(open + 1, comma - open - 1);
    std::string shifted = s.operands[i];
    shifted.replace(open + 1, comma - open - 1, "changed");
    return "{ .reg .s32 changed; add.s32 changed, " + first + ", 16; " +
           *with_operand(s, i, shifted) + " }";
  }
  return std::nullopt;
}
Rewritten wrong_barrier(const Statement& s) {
  return (s.is("bar.sync") || s.is("bar.arrive")) && s.operands.size() == 2
             ? with_computed(s, 0, "xor", "b32", 1)
             : std::nullopt;
}
Rewritten weaken_scope(const Statement& s) {
  if (s.is("barrier.cluster") || s.is("fence.mbarrier_init")) return std::nullopt;
  // `.cluster.` is a scope, `::cluster.` a part of memory.
  if (Rewritten weaker = with_modifier(s, ".gpu", ".cta")) return weaker;
  return with_modifier(s, ".cluster.", ".cta.");
}
Rewritten weaken_order(const Statement& s) {
  if (s.is("fence") || s.has("try_wait") || s.is("barrier.cluster.wait")) return std::nullopt;
  for (const char* const from : {".acq_rel", ".release", ".acquire"})
    if (Rewritten weaker = with_modifier(s, from, ".relaxed")) return weaker;
  return std::nullopt;
}
Rewritten wrong_mask(const Statement& s) {
  if (s.has(".multicast")) return with_computed(s, s.operands.size() - 1, "xor", "b16", 1);
  const bool has_lanes = s.is("shfl.sync") || s.is("vote.sync") || s.is("match.") ||
                         s.is("redux.") || s.is("elect.") || s.is("bar.warp");
  if (!has_lanes) return std::nullopt;
  return with_computed(s, s.operands.size() - 1, "xor", "b32", 2);
}
Rewritten wrong_registers(const Statement& s) {
  return s.is("setmaxnreg") ? with_computed(s, 0, "add", "b32", 24) : std::nullopt;
}
/// D is added to where it should be written, and the other way round.
Rewritten flip_adding(const Statement& s) {
  if (!s.is("wgmma.mma") || is_number(s.operands[3])) return std::nullopt;
  return "{ .reg .pred changed; not.pred changed, " + s.operands[3] + "; " +
         *with_operand(s, 3, "changed") + " }";
}
Rewritten flip_sign(const Statement& s) {
  if (!s.is("wgmma.mma") || s.operands.size() < 6) return std::nullopt;
  return with_operand(s, 4, s.operands[4] == "1" ? "-1" : "1");
}
Rewritten flip_major(const Statement& s) {
  if (!s.is("wgmma.mma") || s.operands.size() < 7) return std::nullopt;
  const size_t last = s.operands.size() - 1;
  return with_operand(s, last, s.operands[last] == "1" ? "0" : "1");
}
/// The next 32 bytes of B.
Rewritten shift_descriptor(const Statement& s) {
  return s.is("wgmma.mma") ? with_computed(s, 2, "add", "s64", 2) : std::nullopt;
}

/// Exchanges two operands, or the first two of a list.
Rewritten swap_registers(const Statement& s) {
  static constexpr std::array kOrdered = {"sub.", "setp.l", "setp.g", "shl.",
                                          "shr.", "selp.",  "mad."};
  if (s.is("wgmma.mma") && s.operands[1][0] != '{') {
    Statement swapped = s;
    std::swap(swapped.operands[1], swapped.operands[2]);
    return as(swapped);
  }
  const bool lists = s.is("mma.") || s.is("wgmma.mma") || s.is("stmatrix") || s.is("ldmatrix");
  if (lists) {
    const size_t index = s.is("mma.") || s.is("wgmma.mma") ? 1 : s.is("stmatrix") ? 1 : 0;
    std::string list = s.operands[index];
    const size_t comma = list.find(','), next = list.find_first_of(",}", comma + 1);
    if (next == std::string::npos || comma == std::string::npos) return std::nullopt;
    const size_t open = list.find('{') + 1;
    const std::string first = list.substr(open, comma - open),
                      second = list.substr(comma + 1, next - comma - 1);
    list.replace(open, next - open, second + "," + first);
    return with_operand(s, index, list);
  }
  const bool ordered =
      std::ranges::any_of(kOrdered, [&](const char* prefix) { return s.is(prefix); });
  if (s.is_word || !ordered || s.operands.size() < 3) return std::nullopt;
  const size_t second = s.is("mad.") ? 3 : 2;
  if (s.operands[1][0] != '%' || s.operands[second][0] != '%') return std::nullopt;
  if (s.operands[1] == s.operands[second]) return std::nullopt;
  Statement swapped = s;
  std::swap(swapped.operands[1], swapped.operands[second]);
  return as(swapped);
}
Rewritten drop_predicate(const Statement& s) {
  if (s.is_word || s.guard.empty()) return std::nullopt;
  Statement bare = s;
  bare.guard.clear();
  return as(bare);
}
template <int kMore>
Rewritten limit_off(const Statement& s) {
  if (s.is_word || !s.is("setp.") || s.operands.size() < 3 || !is_number(s.operands[2]))
    return std::nullopt;
  if (s.is("setp.eq") || s.is("setp.ne")) return std::nullopt;  // says which one, not how many
  // The compiler's own question, whether a loop runs at all.
  if (s.operands[2] == "0" || s.operands[2] == "1") return std::nullopt;
  return with_computed(s, 2, "add", "s32", kMore);
}

// clang-format off
/// In what was written by hand: every place, and all copies of a place together.
constexpr Fault kWordFaults[] = {
    {"drop wait", drop_wait},             {"relax wait", relax_wait},
    {"flip parity", flip_parity},         {"drop barrier", drop_barrier},
    {"drop fence", drop_fence},           {"drop arrival", drop_arrival},
    {"drop commit", drop_commit},         {"drop operation", drop_operation},
    {"wrong bytes", wrong_bytes<16>},     {"wrong bytes", wrong_bytes<-16>},
    {"count off by one", wrong_count<1>}, {"count off by one", wrong_count<-1>},
    {"stage off", stage_off},             {"shift address", shift_address},
    {"shift address", shift_box},         {"shift address", shift_descriptor},
    {"wrong barrier", wrong_barrier},     {"weaken scope", weaken_scope},
    {"weaken order", weaken_order},       {"wrong mask", wrong_mask},
    {"wrong registers", wrong_registers}, {"flip adding", flip_adding},
    {"flip sign", flip_sign},             {"flip major", flip_major},
};
/// In what the compiler wrote as well: places one by one, a few of them.
constexpr Fault kCompiledFaults[] = {
    {"swap registers", swap_registers},  {"drop predicate", drop_predicate},
    {"count off by one", limit_off<1>},  {"count off by one", limit_off<-1>},
};
// clang-format on

}  // namespace

std::span<const Fault> word_faults() { return kWordFaults; }
std::span<const Fault> compiled_faults() { return kCompiledFaults; }

bool is_by_hand(const Statement& s) { return s.line != 0 && (s.is_word || is_barrier(s)); }
bool is_movable(const Statement& s) {
  return s.guard.empty() && !s.is("barrier.cluster") &&
         (is_barrier(s) || is_fence(s) || is_group_wait(s) || s.has(".commit_group") ||
          (is_arrival(s) && s.operands[0][0] != '%'));
}
bool touches_memory(const Statement& s) {
  return is_engine_copy(s) || is_shared_access(s) || s.is("ld.global") || s.is("st.global") ||
         s.is("mbarrier") || s.is("wgmma.mma") || is_arrival(s) || is_group_wait(s);
}

}  // namespace jute::test
