// The one search: each way that operands may be presented in is asked for its candidates, and the
// first that is legal is taken.
#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "plan/ask/broken_rule.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/choose/derived.hpp"
#include "plan/choose/planning.hpp"
#include "plan/choose/step_cost.hpp"
#include "plan/choose/ways/ways.hpp"
#include "plan/shapes/generic_tiles.hpp"

namespace jute::plan {
namespace {

/// Candidates that may be refused before one is legal, where the caller leaves the choice open.
constexpr size_t kMostRefused = 3;

/// Does the caller leave open what candidates differ in?
bool is_open(const Config& config) {
  return !config.tile && !config.stages && !config.atom_layout && !config.permutation &&
         !config.smem_a && !config.smem_b;
}

/// A way's presentation with what may compute it, or what keeps all from it.
struct Offer {
  const Way* way;
  size_t place;  ///< of the presentation among the way's
  Options options;
  Errors broken{};
  std::optional<GemmStep> step{};  ///< of that which takes least, once it was looked for
  int unwished = 0;
  double moves = 0;         ///< clocks of those around the kernel
  double price = kNoLimit;  ///< of the step
  bool is_settled = false;

  /// At least, until it is settled.
  [[nodiscard]] double clocks() const {
    if (is_settled) return price + moves;
    return options.candidates.empty() ? kNoLimit : options.candidates.front().clocks + moves;
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

/// How many candidates are worth a try, and how many of them before one is legal. What a caller
/// chose may suit another instruction of the tensor cores than the first; it never moves the
/// problem to threads alone.
struct Tries {
  size_t all, until_legal;
};
Tries most_tries(const Offer& offer, const Planning& planning) {
  const std::vector<RankedCandidate>& list = offer.options.candidates;
  if (planning.problem.groups || offer.way->suits != nullptr) return {list.size(), list.size()};
  if (is_open(planning.config)) return {list.size(), kMostRefused};
  size_t tries = list.empty() ? 0 : 1;
  while (tries > 0 && tries < list.size() &&
         row_of(list[tries - 1].candidate.family).transfer == Transfer::tma &&
         list[tries].candidate.atom.form != MmaForm::fma)
    ++tries;
  return {tries, tries};
}

/// Wishes that a presentation leaves open, and clocks.
struct Settled {
  int unwished = std::numeric_limits<int>::max();
  double clocks = kNoLimit;
};

class WaySearch {
 public:
  /// Asks each way for `most` candidates; where that is one alone, ways that come behind another
  /// give none. With a bound, candidates that take less.
  WaySearch(const Planning& planning, size_t most, const Settled& bound = {})
      : planning_(planning),
        given_{planning.problem, planning.device, planning.config},
        most_(most),
        bound_(bound) {
    for (const Way& way : ways())
      if (broken_rule(way, given_).empty() && !is_settled()) {
        size_t place = 0;
        for (Presentation& one : way.read(given_)) ask(way, place++, std::move(one));
      }
    std::ranges::stable_sort(offers_, is_before);
  }

  /// The legal step that takes least. Where one candidate alone is asked for, the first or none.
  [[nodiscard]] std::optional<Found> first_legal() {
    Offer* best = nullptr;
    for (Offer& offer : offers_) {
      if (best != nullptr && !is_before(offer, *best)) break;
      settle(offer);
      if (offer.step && (best == nullptr || is_before(offer, *best))) best = &offer;
      if (most_ == 1 && best == nullptr) return std::nullopt;
    }
    if (best == nullptr) return std::nullopt;
    found_ = {best->unwished, best->clocks()};
    return Found{std::move(best->options), *std::move(best->step)};
  }
  [[nodiscard]] const Settled& found() const { return found_; }
  /// The step that was found, where less was expected of its candidate.
  [[nodiscard]] std::optional<Settled> raised() const {
    constexpr double kSame = 1 + std::numeric_limits<float>::epsilon();
    return found_.clocks > kSame * expected_ ? std::optional(found_) : std::nullopt;
  }

  /// The presentations that are nearest to what the caller wishes.
  [[nodiscard]] std::vector<Presented> presented() {
    std::vector<Presented> all;
    for (Offer& offer : offers_)
      if (offer.unwished == offers_.front().unwished)
        all.push_back({offer.way, offer.place, std::move(offer.options), offer.moves});
    return all;
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
  /// Has a way that settles it a legal candidate?
  [[nodiscard]] bool is_settled() const {
    return std::ranges::any_of(offers_, [&](const Offer& offer) {
      return offer.step && offer.way->settles != nullptr && offer.way->settles(given_);
    });
  }

  void ask(const Way& way, size_t place, Presentation one) {
    const int unwished = plan::unwished(one, planning_.config);
    Offer offer{.way = &way,
                .place = place,
                .options = {std::move(one.kernel), std::move(one.ahead), {}},
                .unwished = unwished,
                .moves = one.clocks};
    const bool is_bound = most_ == 1 && !offers_.empty() && offers_.back().broken.empty();
    if (offer.unwished > bound_.unwished) return;
    double limit = offer.unwished == bound_.unwished ? bound_.clocks - offer.moves : kNoLimit;
    if (is_bound && offer.unwished == offers_.back().unwished)
      limit = std::min(limit,
                       offers_.back().clocks() / worth_of_another(planning_.config) - offer.moves);
    if (limit <= 0 || (is_bound && offer.unwished > offers_.back().unwished)) return;
    const bool is_own_wish = one.main_loop && !planning_.config.main_loop;
    Config config;
    if (is_own_wish) (config = planning_.config).main_loop = one.main_loop;
    Offers found = candidates(offer.options.kernel, planning_.device,
                              is_own_wish ? config : planning_.config, planning_.catalogue,
                              {.most = way.suits != nullptr ? kAllCandidates : most_,
                               .limit = limit,
                               .readers = one.readers});
    std::vector<RankedCandidate>& list = offer.options.candidates;
    list = std::move(found.list);
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
    // Refusals of ways that not every candidate suits are not told.
    const bool is_judged = way.suits != nullptr && way.refusal == nullptr;
    if (is_judged) settle(offer);
    if (is_judged && !offer.step) return;
    if (!is_bound || is_before(offer, offers_.back())) offers_.push_back(std::move(offer));
  }

  /// Derives candidates as long as one may take less than the best of their steps so far, or finds
  /// what keeps the last one that was tried from being legal.
  void settle(Offer& offer) {
    if (offer.is_settled) return;
    expected_ = std::min(expected_, offer.clocks());
    offer.is_settled = true;
    auto [tries, chances] = most_tries(offer, planning_);
    const double times = worth_of_another(planning_.config);
    for (size_t i = 0; i < tries && times * offer.options.candidates[i].clocks < offer.price; ++i) {
      const RankedCandidate& one = offer.options.candidates[i];
      Derived step = derive(offer, one.candidate);
      if (auto* made = std::get_if<GemmStep>(&step)) {
        const double price = std::max(price_of(*made), one.clocks);
        if (times * price >= offer.price) continue;
        offer.price = price;
        offer.step = std::move(*made);
        if (!is_open(planning_.config)) return;
        continue;
      }
      Errors& errors = std::get<Errors>(step);
      if (offer.broken.empty() || broken_rules(errors) <= broken_rules(offer.broken))
        offer.broken = std::move(errors);
      if (!offer.step && --chances == 0) return;
    }
  }

  /// Groups of several sizes have the candidate's clocks, over all of them: no more is known.
  [[nodiscard]] double price_of(const GemmStep& step) const {
    const std::optional<Prediction> prediction =
        planning_.problem.groups ? std::nullopt : predicted(step, planning_.device);
    return prediction ? prediction->clocks : 0;
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
  Settled bound_, found_{};
  double expected_ = kNoLimit;  ///< the least clocks of what was settled, before it was
  std::vector<Offer> offers_;
};

}  // namespace

Found fastest(const Planning& planning) {
  if (const Errors errors = wish_rules(planning.config); !errors.empty()) return {{}, errors};
  if (is_open(planning.config) && !planning.problem.groups) {
    WaySearch of_one(planning, 1);
    std::optional<Found> found = of_one.first_legal();
    // The derived step stands with its price as derived: another may take less.
    const std::optional<Settled> raised = of_one.raised();
    const double times = worth_of_another(planning.config);
    if (found && raised)
      if (WaySearch less(planning, kAllCandidates, {raised->unwished, raised->clocks / times});
          std::optional<Found> better = less.first_legal())
        if (less.found().clocks < raised->clocks) return *std::move(better);
    if (found) return *std::move(found);
  }
  WaySearch all(planning, kAllCandidates);
  if (std::optional<Found> found = all.first_legal()) return *std::move(found);
  return all.nearest();
}

std::vector<Presented> presented(const Planning& planning, size_t most) {
  return WaySearch(planning, most).presented();
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

double worth_of_another(const Config& config) {
  return config.specialize == Specialize::generic ? 1 + kWorthOfGroups : 1;
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
