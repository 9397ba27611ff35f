// Greetings: each side draws a number, and answers the other's with what only the secret gives.
#include "ranks/tcp_meeting.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <optional>
#include <thread>

#include "base/format.hpp"
#include "base/sha256.hpp"

namespace jute::ranks {
namespace {

using MeetingClock = std::chrono::steady_clock;
using std::chrono::milliseconds;
constexpr milliseconds kMeetingLook{20};
/// How long rank 0 listens to one who does not greet, and to how many of them at a time; a rank
/// that is sent away for another comes again.
constexpr milliseconds kGreeting{5000};
constexpr std::size_t kMostGuests = 128;

PlaceReach reach_of(const TcpRendezvousOptions& options) {
  constexpr std::size_t kLeastSecret = 16;
  if (!options.secret.empty() && options.secret.size() < kLeastSecret)
    jute::refuse(ErrorCode::illegal_config, "secret",
                 base::format("{} bytes", options.secret.size()),
                 base::format("it must have {} at least", kLeastSecret));
  return options.secret.empty() ? PlaceReach::loopback : PlaceReach::anywhere;
}

/// A wait for others that ends at the deadline.
class Wait {
 public:
  explicit Wait(const TcpRendezvousOptions& options) : options_(options) {}
  [[nodiscard]] milliseconds left() const {
    const auto passed = MeetingClock::now() - start_;
    return std::max(milliseconds(0),
                    options_.deadline - std::chrono::duration_cast<milliseconds>(passed));
  }
  /// `last` says what came in the missing rank's place.
  void check(Index missing, const std::string& last) const {
    if (left() > milliseconds(0)) return;
    const double waited = std::chrono::duration<double>(MeetingClock::now() - start_).count();
    fail(missing, waited,
         base::format("rank {} waited {:.3f} s for rank {}{}{}", options_.rank, waited, missing,
                      last.empty() ? "" : "; ", last));
  }
  [[noreturn]] void fail(Index missing, double waited, std::string what) const {
    throw CommunicationFailed({options_.rank, "meet", missing, waited, std::move(what)});
  }

 private:
  const TcpRendezvousOptions& options_;
  MeetingClock::time_point start_ = MeetingClock::now();
};

/// Whoever has come to rank 0's port, until it is known who that is.
class Reception {
 public:
  Reception(const std::string& place, const TcpRendezvousOptions& options)
      : options_(options), listener_(listening(parse_place(place), reach_of(options))) {}

  [[nodiscard]] std::map<Index, Line> all() {
    const Wait wait(options_);
    while (static_cast<Index>(lines_.size()) + 1 < options_.size) {
      Index missing = 1;
      while (lines_.contains(missing)) ++missing;
      try {
        wait.check(missing, last_);
      } catch (const CommunicationFailed& failed) {
        for (auto& [peer, line] : lines_)
          (void)line.send({LetterKind::failure, failed.fault().what});
        throw;
      }
      std::vector<int> handles{listener_.handle()};
      for (const Guest& guest : guests_) handles.push_back(guest.line.handle());
      wait_for_any(handles, std::min(kMeetingLook, wait.left()));
      let_in();
      for (Guest& guest : guests_) listen_to(guest);
      std::erase_if(guests_, [](const Guest& guest) {
        return guest.is_done || guest.line.is_over() ||
               MeetingClock::now() - guest.since > kGreeting;
      });
    }
    return std::move(lines_);
  }

 private:
  struct Guest {
    Line line;
    std::string challenge;
    MeetingClock::time_point since = MeetingClock::now();
    bool is_done = false;
  };

  /// Where there is no room the one who has been here longest makes it.
  void let_in() {
    Socket socket = accepted(listener_);
    const bool is_full = !socket.is_open() && errno != EAGAIN;
    if (socket.is_open()) {
      Guest guest{Line(std::move(socket), options_.deadline),
                  base::random_bytes(base::kDigestBytes)};
      guest.line.expect({LetterKind::hello});
      if (guest.line.send({LetterKind::challenge, guest.challenge}))
        guests_.push_back(std::move(guest));
    }
    if (guests_.size() > kMostGuests || (is_full && !guests_.empty())) guests_.pop_front();
  }

  void listen_to(Guest& guest) {
    const auto letter = guest.line.next(milliseconds(0));
    if (!letter) return;
    guest.is_done = true;
    const Hello hello = hello_of(letter->text);
    if (!base::are_same_digest(hello.proof,
                               proof_of(ProofOf::rank, options_.secret, hello, guest.challenge))) {
      last_ = "one who does not know the secret has come";
      return;
    }
    (void)guest.line.send(
        {LetterKind::welcome, proof_of(ProofOf::rank_0, options_.secret, hello, guest.challenge)});
    if (hello.size == options_.size && hello.rank > 0 && hello.rank < options_.size &&
        !lines_.contains(hello.rank)) {
      guest.line.expect({LetterKind::text, LetterKind::failure, LetterKind::leave});
      lines_.emplace(hello.rank, std::move(guest.line));
      return;
    }
    last_ = base::format("rank {} of {} came where rank 0 expects others, of {}", hello.rank,
                         hello.size, options_.size);
    (void)guest.line.send({LetterKind::failure, last_});
  }

  const TcpRendezvousOptions& options_;
  Socket listener_;
  std::deque<Guest> guests_;
  std::map<Index, Line> lines_;
  std::string last_;  // of those that were sent away
};

/// A letter of one kind; none: something else came, or nothing in time.
std::optional<std::string> next_text(Line& line, LetterKind kind, const Wait& wait) {
  line.expect({kind});
  const auto start = MeetingClock::now();
  while (!line.is_over() && wait.left() > milliseconds(0) &&
         MeetingClock::now() - start < kGreeting)
    if (auto letter = line.next(kMeetingLook)) return std::move(letter->text);
  return std::nullopt;
}

/// Is it rank 0 that listens there?
bool greets(Line& line, const TcpRendezvousOptions& options, const Wait& wait) {
  const auto challenge = next_text(line, LetterKind::challenge, wait);
  if (!challenge) return false;
  Hello hello{options.rank, options.size, base::random_bytes(base::kDigestBytes), {}};
  hello.proof = proof_of(ProofOf::rank, options.secret, hello, *challenge);
  (void)line.send({LetterKind::hello, text_of(hello)});
  const auto proof = next_text(line, LetterKind::welcome, wait);
  return proof && base::are_same_digest(
                      *proof, proof_of(ProofOf::rank_0, options.secret, hello, *challenge));
}

}  // namespace

std::map<Index, Line> welcomed(const std::string& place, const TcpRendezvousOptions& options) {
  return Reception(place, options).all();
}

Line joined(const std::string& place, const TcpRendezvousOptions& options) {
  const TcpPlace at = parse_place(place);
  const PlaceReach reach = reach_of(options);
  const Wait wait(options);
  std::string last;
  for (;;) {
    Socket socket = connected(at, reach, wait.left());
    if (socket.is_open()) {
      Line line(std::move(socket), options.deadline);
      if (greets(line, options, wait)) {
        line.expect({LetterKind::all_texts, LetterKind::failure, LetterKind::leave});
        return line;
      }
      last = "who listens there does not know the secret, or takes this rank for a stranger";
    }
    wait.check(0, last);
    std::this_thread::sleep_for(kMeetingLook);
  }
}

}  // namespace jute::ranks
