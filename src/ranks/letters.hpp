#pragma once
// What ranks write to each other, and its readers: bytes are a stranger's until they have the
// right form.
#include <jute/base/types.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jute::ranks {

/// The longest text of a rank in one step, with the step's name; and of all ranks together.
inline constexpr std::size_t kMostTextBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMostTextsBytes = std::size_t{1} << 28;
/// The longest text of a failure; more is left out.
inline constexpr std::size_t kMostFailureBytes = 4096;
/// throws  out_of_range: it is longer
void require_text(std::string_view step, const std::string& own);

/// Texts one behind the other, each behind its length.
[[nodiscard]] std::string packed(const std::vector<std::string>& texts);
/// None: these are not so many texts.
[[nodiscard]] std::optional<std::vector<std::string>> unpacked(std::string_view all,
                                                               std::size_t count);

/// The purposes of letters.
enum class LetterKind : std::uint8_t {
  challenge,  ///< rank 0 to who has come: a number that it has drawn
  hello,      ///< who has come: which rank it is, a number of its own, its proof
  welcome,    ///< rank 0's proof
  text,
  all_texts,
  failure,
  leave,
};
struct TcpLetter {
  LetterKind kind = LetterKind::text;
  std::string text;
};
/// As it is sent.
[[nodiscard]] std::string as_sent(const TcpLetter& letter);

/// Letters out of bytes, of which no more are kept than the longest that is expected has.
class LetterReader {
 public:
  void expect(std::initializer_list<LetterKind> kinds);
  void add(std::string_view bytes) { bytes_.append(bytes); }
  /// None: the next one is not whole, or wrong.
  [[nodiscard]] std::optional<TcpLetter> next();
  /// Has there been a letter of another kind or length than may come? Nothing is read behind it.
  [[nodiscard]] bool is_wrong() const { return is_wrong_; }

 private:
  std::string bytes_;
  unsigned expected_ = 0;  // a bit a kind
  bool is_wrong_ = false;
};

/// A rank's first letter.
struct Hello {
  Index rank = 0, size = 0;
  std::string number, proof;
};
[[nodiscard]] std::string text_of(const Hello& hello);
[[nodiscard]] Hello hello_of(std::string_view text);
/// Whose proof it is: made by the secret, of these numbers alone, and never the other side's.
enum class ProofOf : std::uint8_t { rank, rank_0 };
[[nodiscard]] std::string proof_of(ProofOf side, const std::string& secret, const Hello& hello,
                                   const std::string& challenge);

}  // namespace jute::ranks
