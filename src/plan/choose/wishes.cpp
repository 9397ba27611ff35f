// The candidates that can do what a caller wishes of schedules, and what a wish that none can is
// told.
#include "plan/choose/wishes.hpp"

#include "base/format.hpp"
#include "plan/chip/warp.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {
namespace {

MainLoop main_loop_of(const Candidate& candidate) { return row_of(candidate.family).main_loop; }

std::string main_loop_word(MainLoop main_loop) {
  constexpr std::string_view kChoice = "main_loop=";
  Config config;
  config.main_loop = main_loop;
  return to_string(config).substr(kChoice.size());
}

Error no_such_main_loop(const Config& config, const std::vector<RankedCandidate>& list) {
  return {.code = ErrorCode::illegal_config,
          .operand = "main_loop",
          .value = main_loop_word(*config.main_loop),
          .violated_rules = {"the chip must have an instruction and a way to load for that "
                             "main loop, these types and rows"},
          .nearest_legal = main_loop_word(main_loop_of(list.front().candidate))};
}

/// A choice that only a producer and consumers have, but for what straight kernels have as well
/// where those are asked for: the choice, and what every kernel has instead.
struct RoleWish {
  std::string_view choice, instead;
};
RoleWish role_wish(const Config& config) {
  const bool is_straight = config.main_loop == MainLoop::straight;
  const bool has_split_k = config.main_loop && is_copied_by_threads(*config.main_loop);
  if (config.cluster && *config.cluster != ClusterShape{}) return {"cluster", "1x1"};
  if (config.blocks && *config.blocks != 0) return {"blocks", "0"};
  if (config.ping_pong && *config.ping_pong != 1) return {"ping_pong", "1"};
  if (config.producer_warps.value_or(kGroupWarps) != kGroupWarps) return {"producer_warps", "4"};
  if (config.split_k && *config.split_k != 1 && !has_split_k) return {"split_k", "1"};
  if (config.reduction.value_or(SplitK::last_adds) != SplitK::last_adds)
    return {"reduction", "last_adds"};
  if (config.swapped.value_or(false)) return {"swapped", "off"};
  const FirstStages first = config.first_stages.value_or(FirstStages::after_barrier);
  if (first != FirstStages::after_barrier && !(is_straight && first == FirstStages::prefetched))
    return {"first_stages", "after_barrier"};
  if (config.k_starts.value_or(1) != 1) return {"k_starts", "1"};
  if (config.read_once.value_or(ReadOnce::none) != ReadOnce::none) return {"read_once", "none"};
  if (config.edge_rows.value_or(EdgeRows::zeros) != EdgeRows::zeros) return {"edge_rows", "zeros"};
  if (config.promote.value_or(0) != 0) return {"promote", "0"};
  if (config.release.value_or(Release::never) != Release::never && !is_straight)
    return {"release", "never"};
  return {};
}

/// The value of a choice as the caller's config writes it.
std::string value_of(const Config& config, std::string_view choice) {
  const std::string text = " " + to_string(config) + " ";
  const size_t start = text.find(base::format(" {}=", choice)) + choice.size() + 2;
  return text.substr(start, text.find(' ', start) - start);
}

}  // namespace

bool has_wishes(const Config& config) {
  return config.main_loop || !role_wish(config).choice.empty();
}

Offers with_wishes(std::vector<RankedCandidate> list, const Config& config) {
  const RoleWish wish = role_wish(config);
  if (!has_wishes(config)) return {std::move(list), {}};
  const MainLoop main_loop = config.main_loop.value_or(MainLoop::warp_specialised);
  std::vector<RankedCandidate> wished;
  for (const RankedCandidate& one : list)
    if (main_loop_of(one.candidate) == main_loop) wished.push_back(one);
  if (wished.empty() && config.main_loop) return {{}, {no_such_main_loop(config, list)}};
  if (wished.empty() || (!wish.choice.empty() && main_loop != MainLoop::warp_specialised))
    return {{},
            {{.code = ErrorCode::illegal_config,
              .operand = std::string(wish.choice),
              .value = value_of(config, wish.choice),
              .violated_rules = {base::format(
                  "{} needs a warp-specialised main loop: an instruction that the chip has "
                  "for it, and rows of A and B that begin at multiples of 16 bytes{}",
                  wish.choice,
                  wish.choice == "split_k" ? "; or main_loop must be multistage or register_staged"
                                           : "")},
              .nearest_legal = std::string(wish.instead)}}};
  return {std::move(wished), {}};
}

}  // namespace jute::plan
