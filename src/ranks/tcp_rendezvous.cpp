// A star of connections: rank 0 gathers what all say and tells it to all, and passes failures on.
#include <jute/ranks/tcp_rendezvous.hpp>

#include <map>
#include <thread>

#include "base/format.hpp"
#include "ranks/rank_rules.hpp"
#include "ranks/sockets.hpp"

namespace jute {
namespace {

using TcpClock = std::chrono::steady_clock;
using ranks::LetterKind;
using ranks::Line;
using ranks::TcpLetter;
constexpr std::chrono::milliseconds kTcpLook{20};

/// Texts one behind the other, each behind its length.
std::string packed(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += base::format("{}\n{}", text.size(), text);
  return all;
}
std::vector<std::string> unpacked(const std::string& all) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = all.find('\n', at);
    const std::size_t length = std::stoul(all.substr(at, end - at));
    texts.push_back(all.substr(end + 1, length));
    at = end + 1 + length;
  }
  return texts;
}

class TcpEnd final : public Rendezvous {
 public:
  TcpEnd(const std::string& place, const TcpRendezvousOptions& options) : options_(options) {
    ranks::require_rank(options.rank, options.size);
    if (rank() == 0)
      welcome(ranks::parse_place(place));
    else
      join(ranks::parse_place(place));
  }
  ~TcpEnd() override {
    for (auto& [peer, line] : lines_) {
      line.look(std::chrono::milliseconds(0));
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
    if (rank() != 0) {
      (void)lines_.at(0).send({LetterKind::text, packed({std::string(step), own})});
      return unpacked(awaited(0, step, LetterKind::all_texts));
    }
    std::vector<std::string> texts{own};
    for (Index peer = 1; peer < size(); ++peer) {
      const std::vector<std::string> said = unpacked(awaited(peer, step, LetterKind::text));
      if (said.front() != step)
        fail(step, peer, 0,
             base::format("rank {} is at step {}, rank {} at step {}", rank(), step, peer,
                          said.front()));
      texts.push_back(said.back());
    }
    for (auto& [peer, line] : lines_) (void)line.send({LetterKind::all_texts, packed(texts)});
    return texts;
  }

  void poll() override {
    for (auto& [peer, line] : lines_) hear(peer, line, std::chrono::milliseconds(0));
    if (failure_) throw CommunicationFailed({rank(), "poll", source_, 0, *failure_});
  }

  void abort(const std::string& reason) noexcept override {
    if (!failure_) give_up(base::format("rank {} failed: {}", rank(), reason), rank());
  }

 private:
  /// Rank 0: until all have come.
  void welcome(const ranks::TcpPlace& place) {
    const ranks::Socket listener = ranks::listening(place);
    const auto start = TcpClock::now();
    while (static_cast<Index>(lines_.size()) + 1 < size()) {
      if (TcpClock::now() - start > options_.deadline) {
        Index missing = 1;
        while (lines_.contains(missing)) ++missing;
        fail("meet", missing, seconds_since(start),
             base::format("rank 0 waited {:.3f} s for rank {}", seconds_since(start), missing));
      }
      ranks::Socket socket = ranks::accepted(listener, kTcpLook);
      if (socket.is_open()) greet(Line(std::move(socket)));
    }
  }

  /// Who comes says which rank it is of how many; strangers are sent away.
  void greet(Line line) {
    constexpr std::chrono::milliseconds kHello{2000};
    std::optional<TcpLetter> hello;
    for (const auto start = TcpClock::now();
         !hello && !line.is_over() && TcpClock::now() - start < kHello; hello = line.next())
      line.look(kTcpLook);
    if (!hello || hello->kind != LetterKind::hello) return;
    const std::vector<std::string> said = unpacked(hello->text);
    const Index peer = std::stoll(said.front());
    const bool is_right = said.back() == std::to_string(size()) && peer > 0 && peer < size() &&
                          !lines_.contains(peer);
    if (is_right) {
      lines_.emplace(peer, std::move(line));
      return;
    }
    const std::string what = base::format("rank {} of {} came where rank 0 expects others, of {}",
                                          said.front(), said.back(), size());
    (void)line.send({LetterKind::failure, what});
    fail("meet", peer, 0, what);
  }

  void join(const ranks::TcpPlace& place) {
    const auto start = TcpClock::now();
    for (;;) {
      ranks::Socket socket = ranks::connected(place);
      if (socket.is_open()) {
        Line& line = lines_.emplace(0, Line(std::move(socket))).first->second;
        (void)line.send(
            {LetterKind::hello, packed({std::to_string(rank()), std::to_string(size())})});
        return;
      }
      if (TcpClock::now() - start > options_.deadline)
        fail("meet", 0, seconds_since(start),
             base::format("rank {} waited {:.3f} s for rank 0", rank(), seconds_since(start)));
      std::this_thread::sleep_for(kTcpLook);
    }
  }

  /// What came on a line: texts wait until they are asked for, failures are everybody's.
  void hear(Index peer, Line& line, std::chrono::milliseconds wait) {
    line.look(wait);
    while (auto letter = line.next()) {
      if (letter->kind == LetterKind::failure)
        give_up(letter->text, peer);
      else if (letter->kind == LetterKind::leave)
        has_left_[peer] = true;
      else
        said_[peer].push_back(std::move(*letter));
    }
    if (line.is_over() && !has_left_[peer])
      give_up(base::format("rank {} has ended without a word", peer), peer);
  }

  [[nodiscard]] std::string awaited(Index peer, std::string_view step, LetterKind kind) {
    const auto start = TcpClock::now();
    for (;;) {
      std::deque<TcpLetter>& said = said_[peer];
      if (!said.empty() && said.front().kind == kind) {
        std::string text = std::move(said.front().text);
        said.pop_front();
        return text;
      }
      const double waited = seconds_since(start);
      const std::string who =
          base::format("rank {} waited {:.3f} s for rank {}", rank(), waited, peer);
      if (failure_)
        throw CommunicationFailed(
            {rank(), std::string(step), peer, waited, base::format("{}; {}", who, *failure_)});
      if (has_left_[peer]) fail(step, peer, waited, base::format("{}, which has left", who));
      if (TcpClock::now() - start > options_.deadline) fail(step, peer, waited, who);
      for (auto& [other, line] : lines_)
        hear(other, line, other == peer ? kTcpLook : std::chrono::milliseconds(0));
    }
  }

  static double seconds_since(TcpClock::time_point start) {
    return std::chrono::duration<double>(TcpClock::now() - start).count();
  }

  /// The first failure stays, and is told to all but its source.
  void give_up(const std::string& what, Index source) noexcept {
    if (failure_) return;
    failure_ = what;
    source_ = source;
    for (auto& [peer, line] : lines_)
      if (peer != source) (void)line.send({LetterKind::failure, what});
  }

  [[noreturn]] void fail(std::string_view step, Index peer, double waited, std::string what) {
    give_up(base::format("step {}: {}", step, what), rank());
    throw CommunicationFailed({rank(), std::string(step), peer, waited, std::move(what)});
  }

  TcpRendezvousOptions options_;
  std::map<Index, Line> lines_;  // rank 0: of all others; others: of rank 0
  std::map<Index, std::deque<TcpLetter>> said_;
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
