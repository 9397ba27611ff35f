// A communicator over some ranks of another one, which carries what they say and send.
#include <jute/base/parsed_number.hpp>
#include <jute/base/refuse.hpp>
#include <jute/base/split_at.hpp>
#include <jute/ranks/group.hpp>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "base/format.hpp"

namespace jute {
namespace {

/// The windows of the group among those of all ranks.
class GroupWindow final : public Window {
 public:
  GroupWindow(std::shared_ptr<const Window> all, std::vector<Index> members)
      : all_(std::move(all)), members_(std::move(members)) {}
  [[nodiscard]] DevicePointer peer(Index rank) const override {
    return all_->peer(members_[static_cast<std::size_t>(rank)]);
  }
  [[nodiscard]] DevicePointer own() const override { return all_->own(); }
  [[nodiscard]] DevicePointer fault() const override { return all_->fault(); }
  [[nodiscard]] std::uint64_t limit_ns() const override { return all_->limit_ns(); }

 private:
  std::shared_ptr<const Window> all_;
  std::vector<Index> members_;
};

class GroupEnd final : public Communicator {
 public:
  GroupEnd(Communicator& parent, std::vector<Index> members)
      : parent_(parent), members_(std::move(members)) {
    rank_ = std::ranges::find(members_, parent_.rank()) - members_.begin();
  }

  [[nodiscard]] Index rank() const override { return rank_; }
  [[nodiscard]] Index size() const override { return static_cast<Index>(members_.size()); }
  /// Gathers from all ranks and keeps the group's: other groups may be at other steps.
  [[nodiscard]] std::vector<std::string> gather_texts(std::string_view step,
                                                      const std::string& own) override {
    const std::vector<std::string> all =
        parent_.gather_texts("group", base::format("{}\n{}", step, own));
    std::vector<std::string> texts;
    for (Index peer = 0; peer < size(); ++peer) {
      const std::string& said = all[parent_place(peer)];
      const std::size_t end = said.find('\n');
      if (said.substr(0, end) != step) {
        const std::string what =
            base::format("rank {} of the group is at step {}, rank {} at step {}", rank(), step,
                         peer, said.substr(0, end));
        abort(what);
        throw CommunicationFailed(
            {.rank = rank(), .step = std::string(step), .peer = peer, .what = what});
      }
      texts.push_back(said.substr(end + 1));
    }
    return texts;
  }
  void poll() override { parent_.poll(); }
  void abort(const std::string& reason) noexcept override { parent_.abort(reason); }
  void exchange(const Exchange& exchange, Stream stream) override {
    Exchange all{.step = exchange.step};
    all.sends = among_all(exchange.sends);
    all.receives = among_all(exchange.receives);
    parent_.exchange(all, stream);
  }
  void reduce(const Collective& collective, Stream stream) override {
    Collective among = collective;
    among.members = members_;
    if (!collective.members.empty()) {
      among.members.clear();
      for (const Index member : collective.members)
        among.members.push_back(members_[static_cast<std::size_t>(member)]);
    }
    parent_.reduce(among, stream);
  }
  void order(Stream first, Stream then) override { parent_.order(first, then); }
  void finish(Stream stream) override { parent_.finish(stream); }
  void keep(Stream stream) override { parent_.keep(stream); }
  void follow(Stream stream) override { parent_.follow(stream); }
  [[nodiscard]] bool announces() const override { return parent_.announces(); }
  [[nodiscard]] std::shared_ptr<const Window> share(Index bytes) override {
    std::shared_ptr<const Window> all = parent_.share(bytes);
    if (all == nullptr) return nullptr;
    return std::make_shared<GroupWindow>(std::move(all), members_);
  }

 private:
  [[nodiscard]] std::size_t parent_place(Index peer) const {
    return static_cast<std::size_t>(members_[static_cast<std::size_t>(peer)]);
  }
  [[nodiscard]] std::vector<PeerTransfer> among_all(std::vector<PeerTransfer> transfers) const {
    for (PeerTransfer& transfer : transfers)
      transfer.peer = members_[static_cast<std::size_t>(transfer.peer)];
    return transfers;
  }

  Communicator& parent_;
  std::vector<Index> members_;  // by ranks of the group: the parent's
  Index rank_ = 0;
};

/// A rank's color and key.
std::array<Index, 2> numbers_in(std::string_view text, Index rank) {
  const std::vector<std::string_view> words = split_at(' ', text);
  const auto color = parsed_number<Index>(words.front()), key = parsed_number<Index>(words.back());
  if (words.size() != 2 || !color || !key)
    throw CommunicationFailed(
        {.step = "split",
         .peer = rank,
         .what = base::format("rank {} says no color and key: {}", rank, text.substr(0, 64))});
  return {*color, *key};
}

}  // namespace

std::unique_ptr<Communicator> split(Communicator& parent, Index color, Index key) {
  if (color < 0)
    jute::refuse(ErrorCode::out_of_range, "color", std::to_string(color), "it must be 0 or more",
                 "0");
  const std::vector<std::string> said =
      parent.gather_texts("split", base::format("{} {}", color, key));
  std::vector<std::tuple<Index, Index>> members;  // (key, the parent's rank)
  for (std::size_t rank = 0; rank < said.size(); ++rank) {
    const std::array<Index, 2> other = numbers_in(said[rank], static_cast<Index>(rank));
    if (other[0] == color) members.emplace_back(other[1], static_cast<Index>(rank));
  }
  std::ranges::sort(members);
  std::vector<Index> ranks;
  for (const auto& [of_key, rank] : members) ranks.push_back(rank);
  return std::make_unique<GroupEnd>(parent, std::move(ranks));
}

void all_gather(Communicator& communicator, const std::string& step, DevicePointer from,
                DevicePointer to, Index bytes, Stream stream) {
  Exchange exchange{.step = step};
  if (bytes == 0) return;
  for (Index peer = 0; peer < communicator.size(); ++peer) {
    exchange.sends.push_back({peer, {{from, 1, bytes, bytes}}});
    exchange.receives.push_back(
        {peer, {{to + static_cast<DevicePointer>(peer * bytes), 1, bytes, bytes}}});
  }
  communicator.exchange(exchange, stream);
}

}  // namespace jute
