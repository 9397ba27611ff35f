#pragma once
// Connections that carry letters, and where they begin.
#include <jute/base/types.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jute::ranks {

/// An open descriptor.
class Socket {
 public:
  explicit Socket(int handle = -1) : handle_(handle) {}
  ~Socket();
  Socket(Socket&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  Socket& operator=(Socket&& other) noexcept;
  [[nodiscard]] int handle() const { return handle_; }
  [[nodiscard]] bool is_open() const { return handle_ >= 0; }

 private:
  int handle_;
};

/// What a letter is for.
enum class LetterKind : std::uint8_t { hello, text, all_texts, failure, leave };
struct TcpLetter {
  LetterKind kind = LetterKind::text;
  std::string text;
};

/// Letters to and from one other process.
class Line {
 public:
  explicit Line(Socket socket);
  /// False: it could not be sent.
  bool send(const TcpLetter& letter) noexcept;
  /// Waits up to so long for more to come; letters that are whole then are taken by `next`.
  void look(std::chrono::milliseconds wait);
  [[nodiscard]] std::optional<TcpLetter> next();
  /// The other end is closed, and no letter is left.
  [[nodiscard]] bool is_over() const { return is_closed_ && letters_.empty(); }
  [[nodiscard]] int handle() const { return socket_.handle(); }

 private:
  void take_letters();
  Socket socket_;
  std::string bytes_;
  std::deque<TcpLetter> letters_;
  bool is_closed_ = false;
};

struct TcpPlace {
  std::string host, port;
};
///   throws  syntax: it is not HOST:PORT
[[nodiscard]] TcpPlace parse_place(const std::string& text);
///   throws  unwritable
[[nodiscard]] Socket listening(const TcpPlace& place);
/// Not open: nobody listens there yet.
[[nodiscard]] Socket connected(const TcpPlace& place);
/// Not open: nobody came within that time.
[[nodiscard]] Socket accepted(const Socket& listener, std::chrono::milliseconds wait);

}  // namespace jute::ranks
