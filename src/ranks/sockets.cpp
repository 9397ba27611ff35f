// TCP by the system's calls.
#include "ranks/sockets.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jute/base/error.hpp>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/format.hpp"

namespace jute::ranks {
namespace {

// A letter is its kind, four bytes of its length, lowest first, and its text.
constexpr std::size_t kHeadBytes = 5;
constexpr std::size_t kMostBytes = std::size_t{1} << 28;

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

/// Calls `use` with each address of the place until it gives an open socket.
template <class Use>
Socket first_of(const TcpPlace& place, int flags, Use use) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  if (::getaddrinfo(place.host.c_str(), place.port.c_str(), &hints, &found) != 0) return Socket();
  Socket result;
  for (const addrinfo* it = found; it != nullptr && !result.is_open(); it = it->ai_next) {
    Socket socket(::socket(it->ai_family, it->ai_socktype | SOCK_CLOEXEC, it->ai_protocol));
    if (socket.is_open() && use(socket.handle(), *it)) result = std::move(socket);
  }
  ::freeaddrinfo(found);
  return result;
}

bool waits(int handle, short events, std::chrono::milliseconds wait) {
  pollfd look{handle, events, 0};
  return ::poll(&look, 1, static_cast<int>(wait.count())) > 0;
}

}  // namespace

Socket::~Socket() {
  if (handle_ >= 0) (void)::close(handle_);
}
Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

Line::Line(Socket socket) : socket_(std::move(socket)) { keep_alive(socket_.handle()); }

bool Line::send(const TcpLetter& letter) noexcept {
  std::array<char, kHeadBytes> head{static_cast<char>(letter.kind)};
  for (std::size_t i = 1; i < kHeadBytes; ++i)
    head[i] = static_cast<char>(letter.text.size() >> 8 * (i - 1) & 0xFF);
  const auto all = [&](const char* at, std::size_t left) {
    while (left > 0) {
      const auto sent = ::send(socket_.handle(), at, left, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;
      at += sent;
      left -= static_cast<std::size_t>(sent);
    }
    return true;
  };
  return all(head.data(), head.size()) && all(letter.text.data(), letter.text.size());
}

void Line::look(std::chrono::milliseconds wait) {
  while (!is_closed_ && waits(socket_.handle(), POLLIN, wait)) {
    std::array<char, 4096> some;
    const auto count = ::recv(socket_.handle(), some.data(), some.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0)
      is_closed_ = true;
    else
      bytes_.append(some.data(), static_cast<std::size_t>(count));
    wait = std::chrono::milliseconds(0);
  }
  take_letters();
}

void Line::take_letters() {
  while (bytes_.size() >= kHeadBytes) {
    std::size_t length = 0;
    for (std::size_t i = 1; i < kHeadBytes; ++i)
      length |= std::size_t{static_cast<unsigned char>(bytes_[i])} << 8 * (i - 1);
    const auto kind = static_cast<unsigned char>(bytes_[0]);
    if (length > kMostBytes || kind > static_cast<unsigned char>(LetterKind::leave)) {
      is_closed_ = true;  // somebody else's words
      bytes_.clear();
      return;
    }
    if (bytes_.size() < kHeadBytes + length) return;
    letters_.push_back({static_cast<LetterKind>(kind), bytes_.substr(kHeadBytes, length)});
    bytes_.erase(0, kHeadBytes + length);
  }
}

std::optional<TcpLetter> Line::next() {
  if (letters_.empty()) return std::nullopt;
  TcpLetter letter = std::move(letters_.front());
  letters_.pop_front();
  return letter;
}

TcpPlace parse_place(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  TcpPlace place;
  if (colon != std::string::npos) place = {text.substr(0, colon), text.substr(colon + 1)};
  if (place.host.size() > 2 && place.host.front() == '[' && place.host.back() == ']')
    place.host = place.host.substr(1, place.host.size() - 2);
  const bool is_port = !place.port.empty() && place.port.size() < 6 &&
                       place.port.find_first_not_of("0123456789") == std::string::npos;
  if (place.host.empty() || !is_port)
    throw Exception({.code = ErrorCode::syntax,
                     .operand = "rendezvous",
                     .value = text,
                     .violated_rules = {"it must be HOST:PORT, as node7:29600 or [::1]:29600"}});
  return place;
}

Socket listening(const TcpPlace& place) {
  constexpr int kYes = 1, kMostWaiting = 1024;
  int last = 0;
  Socket socket = first_of(place, AI_PASSIVE, [&](int handle, const addrinfo& at) {
    (void)::setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &kYes, sizeof kYes);
    const bool is_there =
        ::bind(handle, at.ai_addr, at.ai_addrlen) == 0 && ::listen(handle, kMostWaiting) == 0;
    last = errno;
    return is_there;
  });
  if (!socket.is_open())
    throw Exception(
        {.code = ErrorCode::unwritable,
         .operand = "rendezvous",
         .value = base::format("{}:{}", place.host, place.port),
         .violated_rules = {base::format("rank 0 must be able to listen there: {}",
                                         last == 0 ? "no such host" : std::strerror(last))}});
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

Socket connected(const TcpPlace& place) {
  return first_of(place, 0, [](int handle, const addrinfo& at) {
    return ::connect(handle, at.ai_addr, at.ai_addrlen) == 0 && !is_with_itself(handle);
  });
}

Socket accepted(const Socket& listener, std::chrono::milliseconds wait) {
  return waits(listener.handle(), POLLIN, wait)
             ? Socket(::accept4(listener.handle(), nullptr, nullptr, SOCK_CLOEXEC))
             : Socket();
}

}  // namespace jute::ranks
