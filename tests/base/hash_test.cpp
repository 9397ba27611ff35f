#include <jute/base/detail/hash.hpp>

#include <set>

#include "support/catch.hpp"

using namespace jute;

TEST_CASE("hashes are those of MurmurHash3 x64 128", "[base][hash][golden]") {
  CHECK(to_string(hash_128("")) == "00000000000000000000000000000000");
  CHECK(to_string(hash_128("hello")) == "cbd8a7b341bd9b025b1e906a48ae1d19");
  CHECK(to_string(hash_128("hello, world")) == "342fac623a5ebc8e4cdcbc079642414d");
  CHECK(to_string(hash_128("The quick brown fox jumps over the lazy dog.")) ==
        "cd99481f9ee902c9695da1a38987b6e7");
}

TEST_CASE("every length and every flipped bit gives another hash", "[base][hash][law]") {
  std::set<Hash128> seen;
  for (size_t length = 0; length < 64; ++length)
    CHECK(seen.insert(hash_128(std::string(length, 'a'))).second);
  for (size_t bit = 0; bit < 64 * 8; ++bit) {
    std::string text(64, 'a');
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << (bit % 8)));
    CHECK(seen.insert(hash_128(text)).second);
  }
}
