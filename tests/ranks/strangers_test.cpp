// Who connects to a run's port, and is none of its ranks.
#include <sys/socket.h>
#include <jute/ranks/file_rendezvous.hpp>
#include <jute/ranks/secret.hpp>
#include <jute/ranks/tcp_rendezvous.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>

#include "base/sha256.hpp"
#include "ranks/free_place.hpp"
#include "ranks/sockets.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

namespace jute::test {
namespace {

using ranks::Hello;
using ranks::LetterKind;
using ranks::Line;
using ranks::ProofOf;
using std::chrono::milliseconds;

const std::string kSecret(32, 's');

/// A connection to a place where somebody listens soon.
ranks::Socket come(const std::string& place) {
  for (;;) {
    ranks::Socket socket = ranks::connected(ranks::parse_place(place), ranks::PlaceReach::loopback,
                                            milliseconds(1000));
    if (socket.is_open()) return socket;
  }
}

void say(const ranks::Socket& socket, std::string_view bytes) {
  (void)!::send(socket.handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

/// Rank 0 of so many in a thread of its own: what it hears in one step.
std::future<std::vector<std::string>> rank_0(const std::string& place, Index size,
                                             const std::string& secret,
                                             milliseconds deadline = milliseconds(20000)) {
  return std::async(std::launch::async, [=] {
    const auto end = tcp_rendezvous(place, {0, size, deadline, secret});
    return end->gather_texts("step", "zero");
  });
}

/// One that greets as the rank does, with this secret.
Line greeted(const std::string& place, Hello hello, const std::string& secret) {
  Line line(come(place), milliseconds(1000));
  line.expect({LetterKind::challenge, LetterKind::welcome, LetterKind::failure});
  const auto challenge = line.next(milliseconds(5000));
  REQUIRE(challenge.has_value());
  hello.number.resize(base::kDigestBytes);
  hello.proof = proof_of(ProofOf::rank, secret, hello, challenge->text);
  (void)line.send({LetterKind::hello, text_of(hello)});
  return line;
}

const std::vector<std::string> kWrongBytes{
    std::string("\0\0\0\0\0", 5),
    std::string("\1\0\0\0\0", 5),
    std::string("\0\1\0\0\0000", 6),
    std::string("\1\3\0\0\0abc", 8),
    std::string("\1\xff\xff\xff\xff", 5),
    std::string("\1\110\0\0\0", 5) + std::string(72, '\0'),
    std::string("\1\110\0\0\0", 5) + std::string(72, '\xff'),
    std::string("\3\x14\0\0\0", 5) + "1000000000000000000000000000000\n",
    "GET / HTTP/1.1\r\n\r\n",
    std::string(100000, 'x'),
};

}  // namespace

TEST_CASE("strangers at a port are sent away, and hold up nobody", "[ranks][tcp][strangers]") {
  for (const std::string& secret : {std::string(), kSecret}) {
    const std::string place = free_place();
    const auto start = std::chrono::steady_clock::now();
    auto zero = rank_0(place, 2, secret);
    std::vector<ranks::Socket> silent;
    for (int n = 0; n < 200; ++n) silent.push_back(come(place));
    for (const std::string& bytes : kWrongBytes) {
      const ranks::Socket socket = come(place);
      say(socket, bytes);
    }
    // One that is another rank than there are, one of another size, one that is here already.
    const Line seventh = greeted(place, {7, 2, {}, {}}, secret);
    const Line of_three = greeted(place, {1, 3, {}, {}}, secret);
    const Line unproved = greeted(place, {1, 2, {}, {}}, "somebody else's secret");
    {
      const auto one = tcp_rendezvous(place, {1, 2, milliseconds(20000), secret});
      CHECK(one->gather_texts("step", "one") == std::vector<std::string>{"zero", "one"});
    }
    CHECK(zero.get() == std::vector<std::string>{"zero", "one"});
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(4));
  }
}

TEST_CASE("a rank without the secret is no rank, and knows no rank 0", "[ranks][tcp][strangers]") {
  const std::string place = free_place();
  const auto fault_of = [&](Index rank, const std::string& secret) {
    std::optional<CommunicationFault> fault;
    try {
      (void)tcp_rendezvous(place, {rank, 2, milliseconds(400), secret});
    } catch (const CommunicationFailed& failure) {
      fault = failure.fault();
    }
    REQUIRE(fault.has_value());
    return fault->what;
  };
  auto zero = std::async(std::launch::async, [&] { return fault_of(0, kSecret); });
  CHECK(fault_of(1, std::string(32, 'x')).find("does not know the secret") != std::string::npos);
  CHECK(zero.get().find("does not know the secret has come") != std::string::npos);
}

TEST_CASE("who greets as rank 0 and cannot prove it is told nothing", "[ranks][tcp][strangers]") {
  const std::string place = free_place();
  const ranks::Socket listener =
      ranks::listening(ranks::parse_place(place), ranks::PlaceReach::loopback);
  auto one = std::async(std::launch::async, [&] {
    return refusal_of([&] { (void)tcp_rendezvous(place, {1, 2, milliseconds(600), kSecret}); });
  });
  // It sends a rank's own proof back, or nothing but noise, however often the rank comes.
  for (int turn = 0; one.wait_for(milliseconds(5)) != std::future_status::ready; ++turn) {
    ranks::Socket socket = ranks::accepted(listener);
    if (!socket.is_open()) continue;
    say(socket, kWrongBytes[static_cast<std::size_t>(turn) % kWrongBytes.size()]);
    Line line(std::move(socket), milliseconds(1000));
    line.expect({LetterKind::hello});
    (void)line.send({LetterKind::challenge, std::string(base::kDigestBytes, 'c')});
    if (const auto hello = line.next(milliseconds(200)))
      (void)line.send({LetterKind::welcome, ranks::hello_of(hello->text).proof});
    CHECK(!line.next(milliseconds(50)).has_value());
  }
  CHECK(one.get().code == ErrorCode::communication_failed);
}

TEST_CASE("a rank, or rank 0, that sends what none sends ends the run by an error that says so",
          "[ranks][tcp][strangers]") {
  for (const std::string& bytes :
       {std::string("\3\4\0\0\0abcd", 9), std::string("\4\0\0\0\0", 5),
        std::string("\3\x0a\0\0\0\x01\0\0\0a\xff\xff\xff\xffx", 15),
        ranks::as_sent({LetterKind::text, "12345678"}), std::string("\3\xff\xff\xff\xff", 5),
        ranks::as_sent({LetterKind::text, ranks::packed({"step", "a"})}) +
            ranks::as_sent({LetterKind::text, ranks::packed({"step", "b"})})}) {
    const std::string place = free_place();
    auto zero = rank_0(place, 3, kSecret, milliseconds(3000));
    Line line = greeted(place, {1, 3, {}, {}}, kSecret);
    REQUIRE(line.next(milliseconds(5000)).has_value());
    const Line other = greeted(place, {2, 3, {}, {}}, kSecret);
    (void)!::send(line.handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    const Error error = refusal_of([&] { (void)zero.get(); });
    INFO(error.value);
    CHECK(error.code == ErrorCode::communication_failed);
    CHECK(error.value.find("rank 1") != std::string::npos);
    CHECK(error.value.find("waited 3.") == std::string::npos);
  }
}

TEST_CASE("beyond loopback addresses ranks meet by a secret alone", "[ranks][tcp][refusal]") {
  for (const Index rank : {0, 1})
    for (const char* place : {"192.0.2.1:29600", "0.0.0.0:29600"}) {
      const Error error = refusal_of([&] {
        (void)tcp_rendezvous(place, {rank, 2, milliseconds(100)});
      });
      CHECK(error.code == ErrorCode::illegal_config);
      CHECK(error.operand == "JUTE_RENDEZVOUS_SECRET");
      CHECK(error.nearest_legal == "tcp://127.0.0.1:29600");
    }
  CHECK(refusal_of([&] {
          (void)tcp_rendezvous("192.0.2.1:29600", {0, 2, milliseconds(100), kSecret});
        }).code == ErrorCode::unwritable);
  CHECK(refusal_of([&] {
          (void)tcp_rendezvous("127.0.0.1:29600", {0, 2, milliseconds(100), "short"});
        }).operand == "secret");
}

TEST_CASE("a secret is a file that its owner alone can reach", "[ranks][tcp][refusal]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("secret");
  CHECK(refusal_of([&] { (void)read_secret(path); }).code == ErrorCode::file_not_found);
  make_secret(path);
  CHECK(read_secret(path).size() == 32);
  CHECK(refusal_of([&] { make_secret(path); }).code == ErrorCode::unwritable);
  CHECK(refusal_of([&] { (void)read_secret(folder.path()); }).code == ErrorCode::file_unreadable);
  RankSettings settings{.rank = 0, .world_size = 1, .rendezvous = "tcp://" + free_place()};
  settings.secret = path;
  CHECK(rendezvous_of(settings)->size() == 1);
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  CHECK(refusal_of([&] { (void)rendezvous_of(settings); }).code == ErrorCode::bad_file);
  for (const std::size_t size : {0, 15, 5000}) {
    std::ofstream(path) << std::string(size, 'x');
    std::filesystem::permissions(path, std::filesystem::perms(0600));
    CHECK(refusal_of([&] { (void)read_secret(path); }).operand == "JUTE_RENDEZVOUS_SECRET");
  }
}

}  // namespace jute::test
