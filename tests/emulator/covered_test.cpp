// The list of what the emulator executes, held to what it executes.
#include <jute/base/error.hpp>
#include <jute/emulator/covered.hpp>
#include <jute/emulator/ptx.hpp>

#include <algorithm>
#include <regex>

#include "emulator/decode/instruction_rows.hpp"
#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// What the emulator says to an opcode without operands: nothing, or how many it wants.
std::string refusal_of_bare(EmulatorBackend& backend, const std::string& opcode) {
  const std::string ptx =
      ".version 8.3\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n" + opcode +
      ";\nret;\n}\n";
  try {
    (void)backend.load(binary_from_ptx(ptx, "k"));
  } catch (const Exception& e) {
    return e.error().violated_rules.front();
  }
  return "";
}

}  // namespace

TEST_CASE("a form stands for its alternatives, with and without what is optional",
          "[emulator][covered]") {
  CHECK(spellings_of("bra[.uni]") == std::vector<std::string>{"bra", "bra.uni"});
  CHECK(spellings_of("a.{b,c}[.d[::e]]") ==
        std::vector<std::string>{"a.b", "a.b.d", "a.b.d::e", "a.c", "a.c.d", "a.c.d::e"});
}

TEST_CASE("every spelling that is listed as covered is decoded", "[emulator][covered]") {
  const auto backend = open_emulator();
  const std::regex wants_operands("(it must have .*operands, not 0)|cvt must have one source");
  std::vector<std::string> refused;
  for (const CoveredOpcode& opcode : covered_opcodes())
    for (const CoveredForm& form : opcode.forms) {
      const auto spellings = spellings_of(form.spelling);
      // Of thousands, as many as show each part once.
      const size_t step = std::max<size_t>(1, spellings.size() / 61);
      for (size_t i = 0; i < spellings.size(); i += step) {
        const std::string said = refusal_of_bare(*backend, spellings[i]);
        if (!said.empty() && !std::regex_match(said, wants_operands))
          refused.push_back(spellings[i] + ": " + said);
      }
    }
  CAPTURE(refused);
  CHECK(refused.empty());
}

TEST_CASE("the list has the instructions of every family, with their architectures",
          "[emulator][covered]") {
  const auto all = covered_opcodes();
  const auto of = [&](const std::string& head) -> const CoveredOpcode& {
    return *std::ranges::find(all, head, &CoveredOpcode::head);
  };
  CHECK(std::ranges::is_sorted(all, {}, &CoveredOpcode::head));
  CHECK(
      of("ldmatrix").forms ==
      std::vector<CoveredForm>{{"ldmatrix.sync.aligned.m8n8.{x1,x2,x4}[.trans][.shared[::cta]].b16",
                                "d, [a]", Arch{75}}});
  CHECK(of("setmaxnreg").forms.front().arch == Arch{90, 'a'});
  CHECK(std::ranges::count(of("fma").forms, "fma.rn.f32", &CoveredForm::spelling) == 1);
  CHECK(
      std::ranges::none_of(all, [](const CoveredOpcode& opcode) { return opcode.forms.empty(); }));
}

TEST_CASE("a row takes its modifiers in any order, and no others", "[emulator][covered]") {
  const auto form = [](const char* opcode) {
    const emulator::RowMatch match = emulator::find_row(opcode);
    return match.row == nullptr ? std::string() : std::string(match.row->form);
  };
  CHECK(form("ld.acquire.gpu.global.b32") == form("ld.global.acquire.gpu.b32"));
  CHECK(form("ld.acquire.gpu.global.b32").starts_with("ld.{relaxed,acquire}"));
  CHECK(form("cp.async.bulk.commit_group") == "cp.async.bulk.commit_group");
  CHECK(form("cp.async.commit_group") == "cp.async.commit_group");
  CHECK(form("fence.proxy.async.shared::cta").starts_with("fence.proxy.async["));
  CHECK(form("ld.acquire.gpu.global.b256").empty());
  const emulator::RowMatch wrong = emulator::find_row("bar.warp.synk");
  CHECK(wrong.broken_rule == ".synk must be a suffix that the emulator knows");
  CHECK(wrong.nearest_form == "bar.warp.sync");
}

TEST_CASE("a row's operands say how many there may be", "[emulator][covered]") {
  const auto count = [](const char* operands) {
    const auto [least, most] = emulator::operands_named(operands);
    return std::pair(least, most);
  };
  CHECK(count("") == std::pair<size_t, size_t>(0, 0));
  CHECK(count("d|p, a, b, c, mask") == std::pair<size_t, size_t>(5, 5));
  CHECK(count("{state, }[mbar]{, count}") == std::pair<size_t, size_t>(1, 3));
  CHECK(count("[map, at], [from]{, policy}") == std::pair<size_t, size_t>(2, 3));
}
