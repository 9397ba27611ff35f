// SHA-256 and HMAC by the standards' own examples.
#include "base/sha256.hpp"
#include "support/catch.hpp"

#include <string>

namespace jute::test {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes)
    for (const int shift : {4, 0})
      text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> shift & 15];
  return text;
}

}  // namespace

TEST_CASE("SHA-256 gives the digests of FIPS 180-4's examples", "[base][sha256]") {
  CHECK(hex(base::sha256("abc")) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex(base::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hex(base::sha256("")) ==
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex(base::sha256(std::string(1000000, 'a'))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("HMAC gives the digests of RFC 4231's examples", "[base][sha256]") {
  struct Row {
    std::string key, text, digest;
  };
  for (const Row& row :
       {Row{std::string(20, '\x0b'), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
        Row{"Jefe", "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        Row{std::string(20, '\xaa'), std::string(50, '\xdd'),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
        Row{std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"}})
    CHECK(hex(base::hmac_sha256(row.key, row.text)) == row.digest);
}

TEST_CASE("digests are the same in all bytes, and random bytes in none", "[base][sha256]") {
  CHECK(base::are_same_digest("abc", "abc"));
  CHECK(!base::are_same_digest("abc", "abd"));
  CHECK(!base::are_same_digest("abc", "ab"));
  CHECK(base::random_bytes(32).size() == 32);
  CHECK(base::random_bytes(32) != base::random_bytes(32));
}

}  // namespace jute::test
