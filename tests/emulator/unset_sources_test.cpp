// A source that was never set is named by every instruction of the emulator's tables: where it
// decides anything, or where somebody uses what came of it.
#include "emulator/unset_sources.hpp"

#include <jute/emulator/covered.hpp>

#include <algorithm>
#include <map>
#include <regex>

#include "emulator/decode/instruction_rows.hpp"
#include "emulator/decode/opcode_table.hpp"
#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// What stands before the instruction: registers of each class that are set (%s.), never set (%u.)
/// and for results (%d.); 4 KB of zeros in shared memory, an mbarrier.
std::string text_of(const std::string& lines, const std::string& used) {
  return ".version 8.7\n.target sm_90a\n.address_size 64\n"
         ".visible .entry k(.param .u64 pa)\n{\n"
         ".reg .pred %sp, %up, %dp<8>, %first;\n.reg .b16 %sh, %uh, %dh<8>;\n"
         ".reg .b32 %sr, %ur, %dr<16>, %ss, %us, %sb, %ub, %sm, %um, %sz, %uz, %sn, %un, %t<4>;\n"
         ".reg .b64 %sw, %uw, %dw<8>, %sg, %ug, %sq, %uq, %out;\n.reg .b128 %sv, %uv, %dv<2>;\n"
         ".shared .align 1024 .b8 place[4096];\n.shared .align 8 .b64 bar;\n"
         "ld.param.u64 %sg, [pa];\nadd.u64 %out, %sg, 65536;\nmov.u32 %ss, place;\n"
         "mov.u32 %sb, bar;\nmov.u32 %t0, %tid.x;\nsetp.eq.u32 %first, %t0, 0;\n"
         "mad.lo.u32 %t1, %t0, 32, %ss;\nst.shared.v4.u32 [%t1], {0, 0, 0, 0};\n"
         "st.shared.v4.u32 [%t1+16], {0, 0, 0, 0};\n@%first mbarrier.init.shared.b64 [%sb], 1;\n"
         "bar.sync 0;\nsetp.lt.u32 %sp, %t0, 999;\nmov.u16 %sh, 1;\nmov.u32 %sr, 1;\n"
         "mov.u64 %sw, 1;\nmov.b128 %sv, {%sw, %sw};\nmov.u32 %sm, -1;\nmov.u32 %sz, 0;\n"
         "mov.u32 %sn, 16;\nmov.b64 %sq, 68720001024;\n" +
         lines + "targets: .branchtargets BEHIND;\nBEHIND:\n" + used + "ret;\n}\n";
}

char class_letter(emulator::RegisterClass kind) { return "phrwv"[static_cast<size_t>(kind)]; }
/// Of a type such as `f32` or `b8`.
char class_letter(const std::string& type) {
  if (type == "pred") return 'p';
  const std::string digits =
      type.ends_with("x2") ? "32" : type.substr(type.find_first_of("0123456789"));
  return digits == "8" || digits == "16" ? 'h' : digits == "32" ? 'r' : digits == "64" ? 'w' : 'v';
}

/// Takes a result as its user would: with all of its bytes.
std::string use_of(char kind, const std::string& name) {
  switch (kind) {
    case 'p':
      return "selp.b32 %t2, 5, 6, " + name + ";\nst.global.u32 [%out], %t2;\n";
    case 'h':
      return "cvt.u32.u16 %t2, " + name +
             ";\nmul.lo.u32 %t2, %t2, 3;\nst.global.u32 [%out], %t2;\n";
    case 'r':
      return "mul.lo.u32 %t2, " + name + ", 3;\nst.global.u32 [%out], %t2;\n";
    case 'w':
      return "mul.lo.u64 %dw7, " + name + ", 3;\nst.global.u64 [%out], %dw7;\n";
    default:
      return "mov.b128 {%dw5, %dw6}, " + name + ";\n" + use_of('w', "%dw5") + use_of('w', "%dw6");
  }
}

/// An instruction whose source number `unset` is never set; -1: all are.
struct Written {
  std::string lines;
  std::string used;
  int sources = 0;
};

/// Writes the operands of a row of the table.
Written written(const std::string& opcode, std::string_view operands, int unset) {
  std::vector<std::string> words;
  for (size_t at = 0; at < opcode.size();) {
    const size_t end = std::min(opcode.find('.', at), opcode.size());
    words.push_back(opcode.substr(at, end - at));
    at = end + 1;
  }
  Written result;
  std::map<char, int> results;
  std::string text, before;
  for (size_t at = 0; at < operands.size(); ++at) {
    const char role = operands[at];
    if (role != '=' && role != '?' && role != '+') {
      text += role;
      continue;
    }
    char kind = operands[++at];
    if (kind == 'T') kind = class_letter(words.back());
    if (kind == 'U') kind = class_letter(words[words.size() - 2]);
    int count = 1;
    if (at + 2 < operands.size() && operands[at + 1] == '*') count = operands[at += 2] - '0';
    for (int i = 0; i < count; ++i) {
      text += i == 0 ? "" : ", ";
      const bool is_unset = role != '=' && i == 0 && result.sources++ == unset;
      std::string name = std::string(is_unset ? "%u" : "%s") + kind;
      if (role != '?') {
        name = std::string("%d") + kind + std::to_string(results[kind]++);
        result.used += use_of(kind, name);
        if (role == '+' && !is_unset) before += "mov.b32 " + name + ", 0;\n";
      }
      text += name;
    }
  }
  result.lines = before + opcode + " " + text + ";\n";
  return result;
}

bool finds_unset(Bench& bench, DevicePointer memory, const Written& instruction) {
  const std::string text = text_of(instruction.lines, instruction.used);
  bench.run(text, "k", {1, 1, 1}, {128, 1, 1}, ArgumentBlock().pointer(memory));
  const Report report = bench.backend->take_report();
  return std::ranges::any_of(report.findings,
                             [](const Finding& finding) { return finding.code == "M3"; });
}

/// What a source that was never set does not decide, and why.
struct Exception {
  std::string_view opcode;
  int source;
  const char* why;
};
constexpr Exception kExceptions[] = {
    {R"(selp\..*)", 1, "the other one is chosen"},
    {R"(slct\..*)", 1, "the other one is chosen"},
    {R"(or\.pred)", 0, "the other one is true"},
    {R"(or\.pred)", 1, "the other one is true"},
    {R"(setp?\.lo\.and\..*)", 2, "1 is not below 1"},
    {R"(st\.param\..*)", 1, "no frame lies there: nothing is stored"},
};
bool is_excepted(const std::string& opcode, int source) {
  return std::ranges::any_of(kExceptions, [&](const Exception& each) {
    return each.source == source &&
           std::regex_match(opcode, std::regex(each.opcode.begin(), each.opcode.end()));
  });
}

const OperandRow* row_for(std::span<const OperandRow> rows, const std::string& opcode) {
  for (const OperandRow& row : rows)
    if (std::regex_match(opcode, std::regex(row.opcode.begin(), row.opcode.end()))) return &row;
  return nullptr;
}

EmulatorOptions one_thread() {
  EmulatorOptions options;
  options.threads = 1;
  return options;
}

class Judge {
 public:
  Judge() : memory_(bench_.upload(std::vector<int>(1 << 15, 0))) {}
  /// `write` makes the instruction with one of its sources unset.
  template <class Write>
  void judge(const std::string& opcode, Write&& write) {
    const Written set = write(-1);
    if (finds_unset(bench_, memory_, set)) wrong_.push_back("with all set: " + set.lines);
    for (int source = 0; source < set.sources; ++source) {
      const Written one = write(source);
      if (finds_unset(bench_, memory_, one) == is_excepted(opcode, source))
        wrong_.push_back(one.lines);
    }
  }
  [[nodiscard]] std::string wrong() const {
    std::string text;
    for (const std::string& each : wrong_) text += each;
    return text;
  }

 private:
  Bench bench_{one_thread()};
  DevicePointer memory_;
  std::vector<std::string> wrong_;
};

}  // namespace

TEST_CASE("every lane function hands on that a source was never set", "[emulator][check][poison]") {
  const emulator::OpcodeTable table = emulator::make_opcode_table();
  Judge judge;
  for (const std::string& name : table.names()) {
    if (name.starts_with('$')) continue;
    const emulator::LaneRow& row = *table.find(name);
    judge.judge(name, [&](int unset) {
      std::string operands = std::string("=") + class_letter(row.result.kind);
      for (size_t i = 0; i < static_cast<size_t>(row.source_count); ++i)
        operands += std::string(", ?") + class_letter(row.sources[i].kind);
      return written(name, operands, unset);
    });
  }
  CHECK(judge.wrong() == "");
}

TEST_CASE("every other instruction names a source that was never set, or hands that on",
          "[emulator][check][poison]") {
  Judge judge;
  std::string unknown;
  for (const emulator::InstructionRow& row : emulator::instruction_rows()) {
    if (emulator::lists_lane_rows(row)) continue;
    const std::string opcode = spellings_of(emulator::written_out(row.form)).front();
    if (row_for(kWithoutSources, opcode) != nullptr) continue;
    const OperandRow* const known = row_for(kOperandRows, opcode);
    if (known == nullptr) {
      unknown += opcode + "\n";
      continue;
    }
    // Elsewhere addresses are those of global memory, which need no space.
    const bool is_matrix = opcode.starts_with("stmatrix");
    const std::string spelled = is_matrix ? "stmatrix.sync.aligned.m8n8.x1.shared.b16" : opcode;
    judge.judge(opcode, [&](int unset) {
      Written one = written(spelled, known->operands, unset);
      if (row.decode != nullptr && opcode.find("c.") < 5)
        one.lines = "add.cc.u32 %dr15, %sr, %sr;\n" + one.lines;
      if (opcode.starts_with("wgmma"))
        one.lines = "wgmma.fence.sync.aligned;\n" + one.lines +
                    "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
      if (is_matrix)
        one.used += "bar.warp.sync -1;\nld.shared.u32 %t3, [%ss];\n" + use_of('r', "%t3");
      return one;
    });
  }
  CHECK(unknown == "");
  CHECK(judge.wrong() == "");
}
