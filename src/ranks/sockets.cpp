// TCP by the system's calls.
#include "ranks/sockets.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jute/base/error.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/base/refuse.hpp>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/format.hpp"

namespace jute::ranks {
namespace {

/// A host that is gone is missed within kIdle + kCount * kPause seconds.
void keep_alive(int handle) {
  constexpr int kYes = 1, kIdle = 5, kPause = 2, kCount = 3;
  (void)::setsockopt(handle, SOL_SOCKET, SO_KEEPALIVE, &kYes, sizeof kYes);
  (void)::setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &kYes, sizeof kYes);
#ifdef TCP_KEEPIDLE
  (void)::setsockopt(handle, IPPROTO_TCP, TCP_KEEPIDLE, &kIdle, sizeof kIdle);
  (void)::setsockopt(handle, IPPROTO_TCP, TCP_KEEPINTVL, &kPause, sizeof kPause);
  (void)::setsockopt(handle, IPPROTO_TCP, TCP_KEEPCNT, &kCount, sizeof kCount);
#endif
}

bool is_loopback(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    const auto* at = reinterpret_cast<const sockaddr_in*>(address);
    return ntohl(at->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
  }
  return address->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

[[noreturn]] void refuse_without_secret(const TcpPlace& place) {
  throw Exception(
      {.code = ErrorCode::illegal_config,
       .operand = "JUTE_RENDEZVOUS_SECRET",
       .violated_rules = {base::format("it must name a file of mode 0600, the same for all ranks, "
                                       "where they meet at {}:{} and not at a loopback address: "
                                       "(umask 077; head -c 32 /dev/urandom > FILE)",
                                       place.host, place.port)},
       .nearest_legal = "tcp://127.0.0.1:" + place.port});
}

/// Calls `use` with each address of the place that is within reach until it gives an open socket.
template <class Use>
Socket first_of(const TcpPlace& place, PlaceReach reach, int flags, Use use) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  if (::getaddrinfo(place.host.c_str(), place.port.c_str(), &hints, &found) != 0) return Socket();
  Socket result;
  bool is_reached = false;
  for (const addrinfo* it = found; it != nullptr && !result.is_open(); it = it->ai_next) {
    if (reach == PlaceReach::loopback && !is_loopback(it->ai_addr)) continue;
    is_reached = true;
    Socket socket(::socket(it->ai_family, it->ai_socktype | SOCK_CLOEXEC, it->ai_protocol));
    if (socket.is_open() && use(socket.handle(), *it)) result = std::move(socket);
  }
  ::freeaddrinfo(found);
  if (!is_reached) refuse_without_secret(place);
  return result;
}

/// Limits sending, and a connection that is made.
void limit_sending(int handle, std::chrono::milliseconds limit) {
  timeval time{};
  time.tv_sec = static_cast<time_t>(limit.count() / 1000);
  time.tv_usec = static_cast<suseconds_t>(limit.count() % 1000 * 1000 + 1);  // 0: none
  (void)::setsockopt(handle, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

}  // namespace

Socket::~Socket() {
  if (handle_ >= 0) (void)::close(handle_);
}
Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

Line::Line(Socket socket, std::chrono::milliseconds patience) : socket_(std::move(socket)) {
  keep_alive(socket_.handle());
  limit_sending(socket_.handle(), patience);
}

bool Line::send(const TcpLetter& letter) noexcept {
  const std::string bytes = as_sent(letter);
  for (std::string_view left = bytes; !left.empty();) {
    const auto sent = ::send(socket_.handle(), left.data(), left.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    left.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::optional<TcpLetter> Line::next(std::chrono::milliseconds wait) {
  for (;;) {
    if (auto letter = reader_.next()) return letter;
    if (is_over()) return std::nullopt;
    wait_for_any({socket_.handle()}, wait);
    wait = std::chrono::milliseconds(0);
    std::array<char, 4096> some;
    const auto count = ::recv(socket_.handle(), some.data(), some.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return std::nullopt;
    if (count > 0)
      reader_.add({some.data(), static_cast<std::size_t>(count)});
    else
      is_closed_ = true;
  }
}

TcpPlace parse_place(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  TcpPlace place;
  if (colon != std::string::npos) place = {text.substr(0, colon), text.substr(colon + 1)};
  if (place.host.size() > 2 && place.host.front() == '[' && place.host.back() == ']')
    place.host = place.host.substr(1, place.host.size() - 2);
  constexpr int kMostPort = 65535;
  const int port = parsed_number<int>(place.port).value_or(0);
  const bool is_port = port > 0 && port <= kMostPort;
  if (place.host.empty() || !is_port)
    jute::refuse(ErrorCode::syntax, "rendezvous", text,
                 "it must be HOST:PORT, as node7:29600 or [::1]:29600");
  return place;
}

Socket listening(const TcpPlace& place, PlaceReach reach) {
  constexpr int kYes = 1, kMostWaiting = 1024;
  int last = 0;
  Socket socket = first_of(place, reach, AI_PASSIVE, [&](int handle, const addrinfo& at) {
    (void)::setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &kYes, sizeof kYes);
    // Who has come and gone again is not waited for.
    (void)::fcntl(handle, F_SETFL, O_NONBLOCK);
    const bool is_there =
        ::bind(handle, at.ai_addr, at.ai_addrlen) == 0 && ::listen(handle, kMostWaiting) == 0;
    last = errno;
    return is_there;
  });
  if (!socket.is_open())
    jute::refuse(ErrorCode::unwritable, "rendezvous", base::format("{}:{}", place.host, place.port),
                 base::format("rank 0 must be able to listen there: {}",
                              last == 0 ? "no such host" : std::strerror(last)));
  return socket;
}

namespace {

/// Where nobody listens, a system may connect a socket with itself, whose own port it has drawn.
bool is_with_itself(int handle) {
  sockaddr_storage own{}, other{};
  socklen_t own_size = sizeof own, other_size = sizeof other;
  return ::getsockname(handle, reinterpret_cast<sockaddr*>(&own), &own_size) == 0 &&
         ::getpeername(handle, reinterpret_cast<sockaddr*>(&other), &other_size) == 0 &&
         own_size == other_size && std::memcmp(&own, &other, own_size) == 0;
}

}  // namespace

Socket connected(const TcpPlace& place, PlaceReach reach, std::chrono::milliseconds wait) {
  return first_of(place, reach, 0, [&](int handle, const addrinfo& at) {
    limit_sending(handle, wait);
    return ::connect(handle, at.ai_addr, at.ai_addrlen) == 0 && !is_with_itself(handle);
  });
}

Socket accepted(const Socket& listener) {
  return Socket(::accept4(listener.handle(), nullptr, nullptr, SOCK_CLOEXEC));
}

void wait_for_any(const std::vector<int>& handles, std::chrono::milliseconds wait) {
  std::vector<pollfd> looks;
  for (const int handle : handles) looks.push_back({handle, POLLIN, 0});
  (void)::poll(looks.data(), looks.size(), static_cast<int>(wait.count()));
}

}  // namespace jute::ranks
