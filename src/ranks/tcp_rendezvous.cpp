// A star of connections: rank 0 gathers what all say and tells it to all, and passes failures on.
#include <jute/ranks/tcp_rendezvous.hpp>

#include <map>

#include "base/format.hpp"
#include "ranks/rank_rules.hpp"
#include "ranks/tcp_meeting.hpp"

namespace jute {
namespace {

using TcpClock = std::chrono::steady_clock;
using ranks::LetterKind;
using ranks::Line;
using ranks::TcpLetter;
constexpr std::chrono::milliseconds kTcpLook{20}, kAtOnce{0};

class TcpEnd final : public Rendezvous {
 public:
  TcpEnd(const std::string& place, const TcpRendezvousOptions& options) : options_(options) {
    ranks::require_rank(options.rank, options.size);
    if (rank() == 0)
      lines_ = ranks::welcomed(place, options);
    else
      lines_.emplace(0, ranks::joined(place, options));
  }
  ~TcpEnd() override {
    for (auto& [peer, line] : lines_) {
      // Letters not read would undo what is sent: a text, a failure, that the other leaves.
      for (int letters = 0; letters < 3 && line.next(kAtOnce);) ++letters;
      (void)line.send({LetterKind::leave, {}});
    }
  }
  TcpEnd(const TcpEnd&) = delete;
  TcpEnd& operator=(const TcpEnd&) = delete;

  [[nodiscard]] Index rank() const override { return options_.rank; }
  [[nodiscard]] Index size() const override { return options_.size; }

  [[nodiscard]] std::vector<std::string> gather_texts(std::string_view step,
                                                      const std::string& own) override {
    if (failure_) throw CommunicationFailed({rank(), std::string(step), source_, 0, *failure_});
    ranks::require_text(step, own);
    if (rank() != 0) {
      (void)lines_.at(0).send({LetterKind::text, ranks::packed({std::string(step), own})});
      return awaited(0, step, static_cast<std::size_t>(size()));
    }
    std::vector<std::string> texts{own};
    for (Index peer = 1; peer < size(); ++peer) {
      const std::vector<std::string> said = awaited(peer, step, 2);
      if (said.front() != step)
        fail(step, peer, 0,
             base::format("rank {} is at step {}, rank {} at step {}", rank(), step, peer,
                          said.front()));
      texts.push_back(said.back());
    }
    const TcpLetter all{LetterKind::all_texts, ranks::packed(texts)};
    if (all.text.size() > ranks::kMostTextsBytes)
      fail(step, 0, 0,
           base::format("all ranks say {} bytes, and must say at most {}", all.text.size(),
                        ranks::kMostTextsBytes));
    for (auto& [peer, line] : lines_) (void)line.send(all);
    return texts;
  }

  void poll() override {
    for (auto& [peer, line] : lines_) hear(peer, line, kAtOnce);
    if (failure_) throw CommunicationFailed({rank(), "poll", source_, 0, *failure_});
  }

  void abort(const std::string& reason) noexcept override {
    if (!failure_) give_up(base::format("rank {} failed: {}", rank(), reason), rank());
  }

 private:
  /// Keeps what came on a line: a text waits until it is asked for, failures are everybody's.
  void hear(Index peer, Line& line, std::chrono::milliseconds wait) {
    if (has_left_[peer]) return;
    while (auto letter = line.next(wait)) {
      wait = kAtOnce;
      if (letter->kind == LetterKind::failure) {
        give_up(letter->text, peer);
      } else if (letter->kind == LetterKind::leave) {
        has_left_[peer] = true;
      } else if (!said_.emplace(peer, std::move(letter->text)).second) {
        give_up(base::format("rank {} speaks before it is answered", peer), peer);
      }
      if (failure_ || has_left_[peer]) return;
    }
    if (line.is_over())
      give_up(base::format("rank {} has {}", peer,
                           line.is_wrong() ? "sent what no rank sends" : "ended without a word"),
              peer);
  }

  /// The texts of a rank's next letter, so many as there must be.
  [[nodiscard]] std::vector<std::string> awaited(Index peer, std::string_view step,
                                                 std::size_t count) {
    const auto start = TcpClock::now();
    for (;;) {
      if (const auto said = said_.extract(peer)) {
        if (auto texts = ranks::unpacked(said.mapped(), count)) return *texts;
        fail(step, peer, 0, base::format("rank {} has sent what no rank sends", peer));
      }
      const double waited = seconds_since(start);
      const std::string who =
          base::format("rank {} waited {:.3f} s for rank {}", rank(), waited, peer);
      if (failure_)
        throw CommunicationFailed(
            {rank(), std::string(step), peer, waited, base::format("{}; {}", who, *failure_)});
      if (has_left_[peer]) fail(step, peer, waited, base::format("{}, which has left", who));
      if (TcpClock::now() - start > options_.deadline) fail(step, peer, waited, who);
      for (auto& [other, line] : lines_) hear(other, line, other == peer ? kTcpLook : kAtOnce);
    }
  }

  static double seconds_since(TcpClock::time_point start) {
    return std::chrono::duration<double>(TcpClock::now() - start).count();
  }

  /// The first failure stays, and is told to all but its source.
  void give_up(const std::string& what, Index source) noexcept {
    if (failure_) return;
    failure_ = what.substr(0, ranks::kMostFailureBytes);
    source_ = source;
    for (auto& [peer, line] : lines_)
      if (peer != source) (void)line.send({LetterKind::failure, *failure_});
  }

  [[noreturn]] void fail(std::string_view step, Index peer, double waited, std::string what) {
    give_up(base::format("step {}: {}", step, what), rank());
    throw CommunicationFailed({rank(), std::string(step), peer, waited, std::move(what)});
  }

  TcpRendezvousOptions options_;
  std::map<Index, Line> lines_;        // rank 0: of all others; others: of rank 0
  std::map<Index, std::string> said_;  // and not asked for: a rank says one text at a time
  std::map<Index, bool> has_left_;
  std::optional<std::string> failure_;
  Index source_ = -1;  // the rank that it came from
};

}  // namespace

std::unique_ptr<Rendezvous> tcp_rendezvous(const std::string& place,
                                           const TcpRendezvousOptions& options) {
  return std::make_unique<TcpEnd>(place, options);
}

}  // namespace jute
