// Which ways to present operands go with which families, and the rule that keeps the others apart:
// docs/exclusions.md is what planning says, and what is kept apart becomes less.
#include <jute/launch/device_presets.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "plan/choose/candidates.hpp"
#include "plan/choose/derived.hpp"
#include "plan/choose/families/instructions.hpp"
#include "plan/choose/planning.hpp"
#include "plan/choose/ways/open_wishes.hpp"
#include "plan/choose/ways/ways.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

constexpr std::array kPairChips{"v100", "t4", "a100", "l40s", "h200", "b200", "rtx5090"};

struct PairTypes {
  std::string_view a, d, split;
};
constexpr std::array kPairTypes{
    PairTypes{"bf16", "bf16", "tf32x3"}, PairTypes{"f16", "f16", "tf32x3"},
    PairTypes{"tf32", "f32", "tf32x3"},  PairTypes{"f32", "f32", "tf32x3"},
    PairTypes{"f64", "f64", "tf32x3"},   PairTypes{"s8", "s32", "tf32x3"},
    PairTypes{"e4m3", "bf16", "tf32x3"}};

/// What some families are for: tiles, few rows, and lines of rows that begin anywhere.
struct Shape {
  Index m, n, k;
  std::string_view b;
};
constexpr std::array kPairShapes{Shape{512, 512, 512, "TYPE:col"}, Shape{4, 512, 512, "TYPE:col"},
                                 Shape{4, 4001, 512, "TYPE:row"}};

/// Problems that a way is for, behind their extents: TYPE is multiplied, RESULT is stored.
struct WayProblem {
  std::string_view way, problem, config{};
};
constexpr std::string_view kPlain = "A=TYPE B=OTHER D=RESULT";
constexpr std::string_view kView = "A=TYPE:view[((2,HALF),K):((K,4K),1)] B=OTHER D=RESULT";
constexpr std::string_view kStored = "A=TYPE B=u8:col scale_b=f32:col zero_b=8 D=RESULT";
constexpr std::array kWayProblems{
    WayProblem{"as it lies", kPlain, "pad=off"},
    WayProblem{"copied", kPlain, "pad=on"},
    WayProblem{"split", "A=TYPE B=OTHER D=RESULT precision=SPLIT"},
    WayProblem{"walked", kView},
    WayProblem{"boxed", kView},
    WayProblem{"stored, to registers", kStored},
    WayProblem{"stored, to fragments", kStored},
    WayProblem{"stored, to stages", kStored},
    WayProblem{"scaled",
               "A=TYPE B=OTHER scale_a=f32:row:block1x128 scale_b=f32:col:block1x128 D=f32"},
    WayProblem{"by lists", "A=TYPE B=OTHER D=RESULT batch=8 groups=rows"},
    WayProblem{"carried", "A=TYPE:rows4096 B=OTHER D=RESULT"},
    WayProblem{"carried, as wished", kPlain, "carry_a=cp_async carry_b=cp_async"}};

std::string replaced(std::string text, std::string_view word, std::string_view by) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size())
    text.replace(at, word.size(), by);
  return text;
}

Problem problem_for(const WayProblem& sample, const PairTypes& types, const Shape& shape) {
  std::string text(sample.problem);
  const std::pair<std::string_view, std::string> words[] = {
      {"OTHER", std::string(shape.b)},       {"TYPE", std::string(types.a)},
      {"RESULT", std::string(types.d)},      {"SPLIT", std::string(types.split)},
      {"HALF", std::to_string(shape.m / 2)}, {"4K", std::to_string(4 * shape.k)},
      {"K", std::to_string(shape.k)}};
  for (const auto& [word, by] : words) text = replaced(std::move(text), word, by);
  return completed(parse_problem("M=" + std::to_string(shape.m) + " N=" + std::to_string(shape.n) +
                                 " K=" + std::to_string(shape.k) + " " + text));
}

/// A rule without what differs from problem to problem.
std::string in_general(std::string rule, const PairTypes& types, std::string_view chip) {
  for (const auto& [word, by] : {std::pair(types.a, "TYPE"), std::pair(chip, "CHIP")})
    rule = std::regex_replace(rule, std::regex("\\b" + std::string(word) + "\\b"), by);
  rule = std::regex_replace(rule, std::regex("target is sm_[0-9]+a?"), "target is sm_N");
  return std::regex_replace(rule, std::regex("\\b[0-9]{3,}\\b"), "N");
}

/// What keeps families from a way of a problem; empty where a kernel of theirs is legal.
class Question {
 public:
  Question(const plan::Way& way, const Problem& problem, const DeviceInfo& device,
           const Config& open)
      : way_(way), given_{problem, device, open}, rule_(broken_rule(way, given_)) {
    if (rule_.empty()) all_ = way.read(given_);
  }

  [[nodiscard]] std::string rule_for(const FamilyRow& family) const {
    if (!rule_.empty()) return rule_;
    std::string told;
    for (const plan::Presentation& one : all_)
      for (const Config& wish : wishes_for(family, one))
        if (is_legal(family, one, wish, told)) return "";
    if (!told.empty()) return told;
    const bool can_multiply = std::ranges::any_of(
        all_, [&](const plan::Presentation& one) { return multiplies(family.by, one); });
    return can_multiply ? "the problem must be one that this family has tiles for"
                        : "the chip must have an instruction for TYPE";
  }

 private:
  [[nodiscard]] bool multiplies(MultipliedBy by, const plan::Presentation& one) const {
    if (by == MultipliedBy::warpgroups)
      return plan::has_wgmma(one.kernel, given_.device, {}, catalogue_);
    const std::vector<MmaAtom> atoms =
        plan::instructions(one.kernel, given_.device, {}, catalogue_);
    return std::ranges::any_of(atoms,
                               [&](const MmaAtom& each) { return multiplied_by(each.form) == by; });
  }
  /// The family in the words of a caller: its main loop, and an instruction of whoever multiplies.
  [[nodiscard]] std::vector<Config> wishes_for(const FamilyRow& family,
                                               const plan::Presentation& one) const {
    Config wish = given_.config;
    wish.main_loop = family.main_loop;
    std::vector<Config> wishes{wish};
    const std::vector<MmaAtom> atoms =
        plan::instructions(one.kernel, given_.device, {}, catalogue_);
    const auto atom = std::ranges::find_if(
        atoms, [&](const MmaAtom& each) { return multiplied_by(each.form) == family.by; });
    if (atom == atoms.end()) return wishes;
    wishes.push_back(wish);
    wishes.back().mma_atom = atom->name;
    return wishes;
  }

  [[nodiscard]] bool is_legal(const FamilyRow& family, const plan::Presentation& one,
                              const Config& wish, std::string& told) const {
    const plan::Offers offers =
        plan::candidates(one.kernel, given_.device, wish, catalogue_, {.readers = one.readers});
    const plan::Options options{one.kernel, one.ahead, {}};
    for (const plan::RankedCandidate& each : offers.list) {
      if (each.candidate.family != family.family) continue;
      if (way_.suits != nullptr && !way_.suits(each.candidate)) break;
      const plan::Derived step =
          plan::derived({given_.problem, given_.device, wish, catalogue_}, options, each.candidate);
      if (const auto* errors = std::get_if<plan::Errors>(&step))
        told = errors->front().violated_rules.front();
      else if (const auto& made = std::get<GemmStep>(step);
               way_.holds == nullptr || way_.holds(made, one.kernel))
        return true;
    }
    if (told.empty() && way_.refusal != nullptr) told = way_.refusal(given_).violated_rules.front();
    if (told.empty() && !offers.broken.empty()) told = offers.broken.front().violated_rules.front();
    if (told.empty()) told = way_.needs;
    return false;
  }

  const plan::Way& way_;
  plan::Given given_;
  std::string rule_;
  std::vector<plan::Presentation> all_;
  const Catalogue catalogue_{};
};

using RulesOfFamilies = std::array<std::string, kFamilies.size()>;

/// The rules of the first shape, or none where a family has a kernel of any shape.
RulesOfFamilies rules_of(const plan::Way& way, const PairTypes& types, const DeviceInfo& device) {
  const auto sample = std::ranges::find(kWayProblems, way.name, &WayProblem::way);
  REQUIRE(sample != kWayProblems.end());
  RulesOfFamilies rules;
  for (const Shape& shape : kPairShapes) try {
      const bool is_first = shape.m == kPairShapes.front().m;
      const Problem problem = problem_for(*sample, types, shape);
      const Config open = plan::for_groups(parse_config(std::string(sample->config)), problem);
      const Question question(way, problem, device, open);
      for (const FamilyRow& family : kFamilies) {
        std::string& rule = rules.at(static_cast<size_t>(family.family));
        if (!is_first && rule.empty()) continue;
        const std::string own = question.rule_for(family);
        if (is_first || own.empty()) rule = own;
      }
    } catch (const Exception& refused) {  // such a problem is none
      for (std::string& rule : rules)
        if (rule.empty()) rule = refused.error().violated_rules.front();
    }
  return rules;
}

/// Pairs that a rule keeps apart.
struct Excluded {
  int count = 0;
  std::set<std::string_view> ways, families;
};
struct Pairs {
  int all = 0, excluded = 0;
  std::map<std::string, Excluded> by_rule;
};

Pairs all_pairs() {
  Pairs pairs;
  for (const plan::Way& way : plan::ways())
    for (const PairTypes& types : kPairTypes)
      for (const char* const chip : kPairChips) {
        const RulesOfFamilies rules = rules_of(way, types, device_preset(chip));
        for (const FamilyRow& family : kFamilies) {
          ++pairs.all;
          const std::string& rule = rules.at(static_cast<size_t>(family.family));
          if (rule.empty()) continue;
          ++pairs.excluded;
          Excluded& one = pairs.by_rule[in_general(rule, types, chip)];
          ++one.count;
          one.ways.insert(way.name);
          one.families.insert(family.name);
        }
      }
  return pairs;
}

std::string listed(const std::set<std::string_view>& names, size_t all) {
  if (names.size() == all) return "all";
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : "; ") + std::string(name);
  return text;
}

constexpr std::string_view kOf = " of these are kept apart by a rule: ";

std::string page_of(const Pairs& pairs) {
  std::vector<std::pair<std::string, Excluded>> rows(pairs.by_rule.begin(), pairs.by_rule.end());
  std::ranges::stable_sort(rows, std::greater{}, [](const auto& row) { return row.second.count; });
  std::ostringstream page;
  page << "# What does not go together\n\n"
          "Operands are presented to kernels in "
       << plan::ways().size() << " ways, and " << kFamilies.size()
       << " families of kernels multiply them "
       << "([How jute is built](architecture.md)). Each\nway with each family, of "
       << kPairTypes.size() << " types on " << kPairChips.size()
       << " chips, is a pair: " << pairs.all
       << ", each asked for problems of three shapes that the way is for.\n"
       << pairs.excluded << kOf
       << "what a caller reads who asks for it, with TYPE for the type, CHIP for the chip and N "
          "for "
          "numbers. `test_plan \"[exclusions]\"` makes this page, and the pairs become fewer "
          "only.\n\n"
          "| pairs | rule | ways | families |\n| ---: | --- | --- | --- |\n";
  for (const auto& [rule, one] : rows)
    page << "| " << one.count << " | " << rule << " | " << listed(one.ways, plan::ways().size())
         << " | " << listed(one.families, kFamilies.size()) << " |\n";
  return std::move(page).str();
}

/// As the page that is kept says.
int kept_excluded(const std::string& page) {
  const size_t end = page.find(kOf);
  if (end == std::string::npos) return 1 << 30;
  return std::stoi(page.substr(page.rfind('\n', end) + 1));
}

}  // namespace

TEST_CASE("the page of what does not go together is what planning says, and becomes shorter only",
          "[plan][ways][exclusions][docs]") {
  const std::string path = std::string(JUTE_SOURCE_DIR) + "/docs/exclusions.md";
  std::ifstream in(path);
  const std::string kept{std::istreambuf_iterator<char>(in), {}};
  const Pairs pairs = all_pairs();
  REQUIRE(pairs.excluded <= kept_excluded(kept));
  const std::string page = page_of(pairs);
  if (std::getenv("JUTE_UPDATE_GOLDEN") != nullptr)
    std::ofstream(path) << page;
  else
    CHECK(page == kept);
  for (const auto& [rule, one] : pairs.by_rule) {
    INFO(rule);
    CHECK((rule.find("must") != std::string::npos || rule.find("need") != std::string::npos));
  }
}

}  // namespace jute::test
