// Processes that meet at a port.
#include <signal.h>
#include <jute/ranks/file_rendezvous.hpp>
#include <jute/ranks/tcp_rendezvous.hpp>

#include "ranks/free_place.hpp"
#include "support/catch.hpp"
#include "support/rank_process.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

using std::chrono::milliseconds;

}  // namespace

TEST_CASE("ranks that meet at a port hear each other's texts, in the order of ranks",
          "[ranks][tcp]") {
  const std::string place = free_place();
  constexpr Index kSize = 4;
  const auto work = [&](Index rank) {
    const auto end = tcp_rendezvous(place, {rank, kSize, milliseconds(20000)});
    for (int turn = 0; turn < 30; ++turn) {
      const auto said = [&](Index of) {
        return "rank " + std::to_string(of) + "\nturn " + std::to_string(turn) +
               std::string(turn == 7 ? 100000 : 0, 'x');
      };
      const std::vector<std::string> all = end->gather_texts("turn", said(rank));
      for (Index of = 0; of < kSize; ++of)
        if (all[static_cast<std::size_t>(of)] != said(of)) return 1;
      end->poll();
    }
    return 0;
  };
  std::vector<pid_t> children;
  for (Index rank = 1; rank < kSize; ++rank)
    children.push_back(started([&] { return work(rank); }));
  CHECK(work(0) == 0);
  for (const pid_t child : children) CHECK(status_of(child) == 0);
}

TEST_CASE("a process at a port that is killed, aborts, leaves or takes another step is told of",
          "[ranks][tcp][faults]") {
  struct Row {
    std::string way, part;
  };
  for (const Row& row : {Row{"killed", "rank 1 has ended without a word"},
                         Row{"aborts", "rank 1 failed: out of paper"}, Row{"leaves", "has left"},
                         Row{"another", "at step another"}, Row{"sleeps", "waited"}}) {
    INFO(row.way);
    const std::string place = free_place();
    const pid_t child = started([&] {
      const auto other = tcp_rendezvous(place, {1, 3, milliseconds(20000)});
      (void)other->gather_texts("first", "");
      if (row.way == "killed") ::raise(SIGKILL);
      if (row.way == "sleeps") ::usleep(8000000);
      if (row.way == "aborts") other->abort("out of paper");
      if (row.way == "another") (void)other->gather_texts("another", "");
      return 0;
    });
    // What rank 2 hears of rank 1 comes by rank 0.
    const pid_t third = started([&] {
      const auto other = tcp_rendezvous(place, {2, 3, milliseconds(20000)});
      (void)other->gather_texts("first", "");
      try {
        (void)other->gather_texts("second", "");
      } catch (const CommunicationFailed& failure) {
        return failure.fault().what.find("rank 1") == std::string::npos ? 3 : 0;
      }
      return 1;
    });
    std::optional<CommunicationFault> fault;
    {
      const auto end = tcp_rendezvous(place, {0, 3, milliseconds(1500)});
      (void)end->gather_texts("first", "");
      try {
        (void)end->gather_texts("second", "");
      } catch (const CommunicationFailed& failure) {
        fault = failure.fault();
      }
      CHECK(refusal_of([&] { end->poll(); }).code == ErrorCode::communication_failed);
      CHECK(status_of(third) == 0);
    }
    ::kill(child, SIGKILL);
    (void)status_of(child);
    REQUIRE(fault.has_value());
    INFO(fault->what);
    CHECK(fault->step == "second");
    CHECK(fault->peer == 1);
    CHECK(fault->what.find(row.part) != std::string::npos);
  }
}

TEST_CASE("a rank that never comes to a port, and one too many, are named",
          "[ranks][tcp][faults]") {
  const auto fault_of = [](const std::string& place, const TcpRendezvousOptions& options) {
    std::optional<CommunicationFault> fault;
    try {
      (void)tcp_rendezvous(place, options);
    } catch (const CommunicationFailed& failure) {
      fault = failure.fault();
    }
    REQUIRE(fault.has_value());
    return *fault;
  };
  CHECK(fault_of(free_place(), {0, 2, milliseconds(200)}).peer == 1);
  CHECK(fault_of(free_place(), {1, 2, milliseconds(200)}).peer == 0);
  const std::string place = free_place();
  const pid_t child = started([&] {
    const auto other = tcp_rendezvous(place, {1, 3, milliseconds(3000)});
    try {
      (void)other->gather_texts("first", "");
    } catch (const CommunicationFailed&) {
      return 0;
    }
    return 1;
  });
  // Whoever is wrong ends nobody's meeting but its own.
  const CommunicationFault fault = fault_of(place, {0, 2, milliseconds(500)});
  INFO(fault.what);
  CHECK(fault.what.find("of 3") != std::string::npos);
  CHECK(status_of(child) == 0);
}

TEST_CASE("places that are none, and ports of others, are refused", "[ranks][tcp][refusal]") {
  const auto refused = [](const std::string& place) {
    return refusal_of([&] { (void)tcp_rendezvous(place, {0, 1, milliseconds(100)}); }).code;
  };
  CHECK(refused("29600") == ErrorCode::syntax);
  CHECK(refused("host:") == ErrorCode::syntax);
  CHECK(refused("host:port") == ErrorCode::syntax);
  CHECK(refused("127.0.0.1:65536") == ErrorCode::syntax);
  CHECK(refused("127.0.0.1:0") == ErrorCode::syntax);
  CHECK(refusal_of([&] {
          (void)tcp_rendezvous("127.0.0.1:29600", {2, 2, milliseconds(10)});
        }).code == ErrorCode::out_of_range);
  RankSettings settings;
  settings.rank = 0;
  settings.world_size = 1;
  settings.rendezvous = "tcp://" + free_place();
  CHECK(rendezvous_of(settings)->gather_texts("step", "text") == std::vector<std::string>{"text"});
  const std::string port = free_place();
  settings.rendezvous = "tcp://" + port.substr(port.find(':'));
  CHECK(refusal_of([&] { (void)rendezvous_of(settings); }).operand == "MASTER_ADDR");
  settings.host = port.substr(0, port.find(':'));
  CHECK(rendezvous_of(settings)->gather_texts("step", "text") == std::vector<std::string>{"text"});
  settings.rendezvous = "ftp://x";
  CHECK(refusal_of([&] { (void)rendezvous_of(settings); }).operand == "JUTE_RENDEZVOUS");
}

}  // namespace jute::test
