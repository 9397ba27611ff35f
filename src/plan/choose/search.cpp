// The one search: each way that operands may be presented in is asked for its candidates, and the
// first that is legal is taken.
#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "plan/ask/broken_rule.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/choose/derived.hpp"
#include "plan/choose/planning.hpp"
#include "plan/choose/ways/ways.hpp"

namespace jute::plan {
namespace {

/// Candidates that are tried where the caller leaves the choice open.
constexpr size_t kMostTries = 3;

/// Does the caller leave open what candidates differ in?
bool is_open(const Config& config) {
  return !config.tile && !config.stages && !config.atom_layout && !config.permutation &&
         !config.smem_a && !config.smem_b;
}

/// A way's presentation with what may compute it, or what keeps all from it.
struct Offer {
  const Way* way;
  Options options;
  Errors broken{};
  std::optional<GemmStep> step{};  ///< of the first that is legal, once that was looked for
  int unwished = 0;
  double moves = 0;  ///< clocks of those around the kernel
  size_t first = 0;  ///< candidate that may be legal

  [[nodiscard]] double clocks() const {
    return first < options.candidates.size() ? options.candidates[first].clocks + moves : kNoLimit;
  }
};

bool is_before(const Offer& one, const Offer& other) {
  return one.unwished != other.unwished ? one.unwished < other.unwished
                                        : one.clocks() < other.clocks();
}

size_t broken_rules(const Errors& errors) {
  size_t count = 0;
  for (const Error& error : errors) count += error.violated_rules.size();
  return count;
}

/// How many candidates are worth a try. What a caller chose may suit another instruction of the
/// tensor cores than the first; it never moves the problem to threads alone.
size_t most_tries(const Offer& offer, const Planning& planning) {
  const std::vector<RankedCandidate>& list = offer.options.candidates;
  if (planning.problem.groups || offer.way->suits != nullptr) return list.size();
  if (is_open(planning.config)) return std::min(list.size(), kMostTries);
  size_t tries = list.empty() ? 0 : 1;
  while (tries > 0 && tries < list.size() &&
         row_of(list[tries - 1].candidate.family).transfer == Transfer::tma &&
         list[tries].candidate.atom.form != MmaForm::fma)
    ++tries;
  return tries;
}

class WaySearch {
 public:
  /// Of each way `most` candidates; of one alone there are none of ways that come behind another.
  WaySearch(const Planning& planning, size_t most)
      : planning_(planning),
        given_{planning.problem, planning.device, planning.config},
        most_(most) {
    for (const Way& way : ways())
      if (way.broken_rule(given_).empty() && !is_taken(way))
        for (Presentation& one : way.read(given_)) ask(way, std::move(one));
    std::ranges::stable_sort(offers_, is_before);
  }

  /// What is expected to take least of what is legal. Of one candidate alone the first or none.
  [[nodiscard]] std::optional<Found> first_legal() {
    Offer* best = nullptr;
    for (Offer& offer : offers_) {
      if (best != nullptr && !is_before(offer, *best)) break;
      settle(offer);
      if (offer.step && (best == nullptr || is_before(offer, *best))) best = &offer;
      if (most_ == 1 && best == nullptr) return std::nullopt;
    }
    if (best == nullptr) return std::nullopt;
    return Found{std::move(best->options), *std::move(best->step)};
  }

  /// That without a rival, if it has candidates.
  [[nodiscard]] const Offer* only() const {
    return offers_.size() == 1 && offers_.front().broken.empty() ? &offers_.front() : nullptr;
  }

  /// Where nothing is legal: the way of which fewest rules are broken, and those.
  [[nodiscard]] Found nearest() {
    const auto order = [](const Offer& offer) {  // whoever has candidates is nearer
      return std::tuple(offer.options.candidates.empty(), broken_rules(offer.broken), offer.way);
    };
    Offer& offer = *std::ranges::min_element(offers_, {}, order);
    offer_planned_atom(offer);
    return {std::move(offer.options), std::move(offer.broken)};
  }

 private:
  /// Does another way that has a legal candidate take its place?
  [[nodiscard]] bool is_taken(const Way& way) const {
    return std::ranges::any_of(precedences(), [&](const Precedence& row) {
      const auto is_legal = [&](const Offer& offer) {
        return offer.way->name == row.way && offer.step.has_value();
      };
      return row.other == way.name && row.holds(given_) && std::ranges::any_of(offers_, is_legal);
    });
  }

  void ask(const Way& way, Presentation one) {
    const int unwished = plan::unwished(one, planning_.config);
    Offer offer{.way = &way,
                .options = {std::move(one.kernel), std::move(one.ahead), {}},
                .unwished = unwished,
                .moves = one.clocks};
    const bool is_bound = most_ == 1 && !offers_.empty() && offers_.back().broken.empty();
    double limit = kNoLimit;
    if (is_bound && offer.unwished == offers_.back().unwished)
      limit = offers_.back().clocks() - offer.moves;
    if (limit <= 0 || (is_bound && offer.unwished > offers_.back().unwished)) return;
    const bool is_own_wish = one.main_loop && !planning_.config.main_loop;
    Config config;
    if (is_own_wish) (config = planning_.config).main_loop = one.main_loop;
    Offers found = candidates(offer.options.kernel, planning_.device,
                              is_own_wish ? config : planning_.config, planning_.catalogue,
                              {.most = way.suits != nullptr ? kAllCandidates : most_,
                               .limit = limit,
                               .are_of_copies = one.reads_copies});
    std::vector<RankedCandidate>& list = offer.options.candidates;
    list = std::move(found.list);
    if (one.first != nullptr && !list.empty() && !one.first(list.front().candidate)) return;
    if (way.suits != nullptr)
      std::erase_if(list, [&](const RankedCandidate& each) { return !way.suits(each.candidate); });
    if (list.size() > way.most)
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(way.most), list.end());
    if (list.empty()) {
      if (way.suits == nullptr || way.refusal != nullptr) offer.broken = std::move(found.broken);
      if (offer.broken.empty() && way.refusal != nullptr) offer.broken = {way.refusal(given_)};
      if (offer.broken.empty()) return;
    }
    if (is_bound && !is_before(offer, offers_.back())) return;
    // Of ways that not every candidate suits what is refused is not told.
    const bool is_judged = way.suits != nullptr && way.refusal == nullptr;
    if (is_judged) settle(offer);
    if (is_judged && !offer.step) return;
    if (!is_bound || is_before(offer, offers_.back())) offers_.push_back(std::move(offer));
  }

  /// Finds the first that is legal, or what keeps the last one that was tried from it.
  void settle(Offer& offer) {
    if (offer.step) return;
    for (const size_t tries = most_tries(offer, planning_); offer.first < tries; ++offer.first) {
      Derived step = derive(offer, offer.options.candidates[offer.first].candidate);
      if (auto* made = std::get_if<GemmStep>(&step)) {
        offer.step = std::move(*made);
        return;
      }
      Errors& errors = std::get<Errors>(step);
      if (offer.broken.empty() || broken_rules(errors) <= broken_rules(offer.broken))
        offer.broken = std::move(errors);
    }
  }

  [[nodiscard]] Derived derive(const Offer& offer, const Candidate& candidate) const {
    Derived step = derived(planning_, offer.options, candidate);
    const auto* made = std::get_if<GemmStep>(&step);
    if (made != nullptr && offer.way->holds != nullptr &&
        !offer.way->holds(*made, offer.options.kernel))
      return Errors{broken("tile", "", "a tile must hold what is stored in whole vectors")};
    return step;
  }

  /// An atom that no kernel is generated from: what planning would choose is the nearest.
  void offer_planned_atom(Offer& offer) const {
    if (offer.broken.empty()) return;
    Error& error = offer.broken.front();
    if (error.operand != "mma_atom" || error.nearest_legal) return;
    Config open = planning_.config;
    open.mma_atom.reset();
    const KernelProblem seen = as_kernels_see(offer.options.kernel, planning_.config);
    const Offers all = candidates(seen, planning_.device, open, planning_.catalogue);
    if (!all.list.empty()) error.nearest_legal = all.list.front().candidate.atom.name;
  }

  const Planning& planning_;
  Given given_;
  size_t most_;
  std::vector<Offer> offers_;
};

}  // namespace

Found fastest(const Planning& planning) {
  if (const Errors errors = wish_rules(planning.config); !errors.empty()) return {{}, errors};
  if (is_open(planning.config) && !planning.problem.groups)
    if (std::optional<Found> found = WaySearch(planning, 1).first_legal()) return *std::move(found);
  WaySearch all(planning, is_open(planning.config) ? kMostTries : kAllCandidates);
  if (std::optional<Found> found = all.first_legal()) return *std::move(found);
  return all.nearest();
}

Options options_for(const Planning& planning) {
  if (const Errors errors = wish_rules(planning.config); !errors.empty()) refuse(errors);
  WaySearch all(planning, kAllCandidates);
  if (const Offer* one = all.only()) return one->options;
  std::optional<Found> found = all.first_legal();
  if (!found) found = all.nearest();
  if (found->options.candidates.empty()) refuse(std::get<Errors>(found->step));
  return std::move(found->options);
}

bool walks_views(const Options& options) {
  const KernelProblem& kernel = options.kernel;
  return kernel.a.view || kernel.b.view || kernel.c.view || kernel.d.view;
}

bool packs_views(const Options& options) {
  const KernelProblem& kernel = options.kernel;
  return !walks_views(options) &&
         !((kernel.a.boxed || kernel.b.boxed || kernel.c.boxed || kernel.d.boxed) &&
           !options.moves);
}

bool transposes(const Options& options) {
  return options.moves && std::ranges::any_of(options.moves->moves, &Move::transposed);
}

}  // namespace jute::plan
