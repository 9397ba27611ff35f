#pragma once
// The bytes of an input, handed out one by one.
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace jute::test {

/// Zeros when they are used up.
class InputBytes {
 public:
  explicit InputBytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool done() const { return at_ >= bytes_.size(); }
  int next() { return done() ? 0 : bytes_[at_++]; }
  int below(int bound) { return next() % bound; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

/// Throws where a law does not hold.
inline void require_law(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace jute::test
