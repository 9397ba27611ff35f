#pragma once
// Connections that carry letters, and where they begin.
#include <jute/base/types.hpp>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ranks/letters.hpp"

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

/// Letters to and from one other process.
class Line {
 public:
  /// `patience` is how long a letter may take to be sent.
  Line(Socket socket, std::chrono::milliseconds patience);
  /// The letters that may come from now on; all else closes the line.
  void expect(std::initializer_list<LetterKind> kinds) { reader_.expect(kinds); }
  /// False: it could not be sent.
  bool send(const TcpLetter& letter) noexcept;
  /// The next letter; waits up to so long for it. None: it is not whole yet, or nothing comes.
  [[nodiscard]] std::optional<TcpLetter> next(std::chrono::milliseconds wait);
  /// The other end is closed, or has sent what may not come.
  [[nodiscard]] bool is_over() const { return is_closed_ || is_wrong(); }
  [[nodiscard]] bool is_wrong() const { return reader_.is_wrong(); }
  [[nodiscard]] int handle() const { return socket_.handle(); }

 private:
  Socket socket_;
  LetterReader reader_;
  bool is_closed_ = false;
};

struct TcpPlace {
  std::string host, port;
};
///   throws  syntax: it is not HOST:PORT
[[nodiscard]] TcpPlace parse_place(const std::string& text);
/// Which addresses of a place are used: without a secret no others than these are.
enum class PlaceReach : std::uint8_t { loopback, anywhere };
///   throws  unwritable; illegal_config: no address of the place is within reach
[[nodiscard]] Socket listening(const TcpPlace& place, PlaceReach reach);
/// Not open: nobody listens there yet.
///   throws  illegal_config: as listening
[[nodiscard]] Socket connected(const TcpPlace& place, PlaceReach reach,
                               std::chrono::milliseconds wait);
/// Who has come; not open: nobody has, or one too many.
[[nodiscard]] Socket accepted(const Socket& listener);
/// Waits until something has come to one of them, at most so long.
void wait_for_any(const std::vector<int>& handles, std::chrono::milliseconds wait);

}  // namespace jute::ranks
