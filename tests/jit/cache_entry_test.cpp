#include "jit/cache_entry.hpp"

#include <jute/base/detail/hash.hpp>

#include <random>

#include "support/catch.hpp"
#include "support/fake_kernels.hpp"

using namespace jute;
using jit::EntryContent;

namespace {

EntryContent content_of(const Source& source, Output output) {
  const Binary binary = test::numbered_binary(source, output);
  return {.key = make_key(source, output, "build").text,
          .symbol = binary.symbol,
          .ptx = binary.ptx,
          .cubin = binary.cubin,
          .resources = binary.resources,
          .log = binary.log};
}

}  // namespace

TEST_CASE("an entry reads back as it was written", "[jit][entry][law]") {
  for (const Output output : {Output::ptx, Output::ptx_and_cubin}) {
    const EntryContent content = content_of(test::numbered_source(1), output);
    CHECK(jit::read_entry(jit::write_entry(content)) == content);
  }
  CHECK(jit::read_entry(jit::write_entry({})) == EntryContent{});
}

TEST_CASE("an entry with any byte changed, cut or added is not read", "[jit][entry][law]") {
  EntryContent content = content_of(test::numbered_source(1), Output::ptx_and_cubin);
  content.ptx.resize(300);
  content.cubin.resize(300);
  const std::vector<std::byte> good = jit::write_entry(content);
  for (size_t at = 0; at < good.size(); ++at) {
    std::vector<std::byte> damaged = good;
    damaged[at] ^= std::byte{0x10};
    REQUIRE_FALSE(jit::read_entry(damaged).has_value());
    REQUIRE_FALSE(jit::read_entry(std::span(good).first(at)).has_value());
  }
  std::vector<std::byte> longer = good;
  longer.push_back(std::byte{0});
  CHECK_FALSE(jit::read_entry(longer).has_value());
}

TEST_CASE("lengths are checked even where the checksum is right", "[jit][entry][law]") {
  // A file from a faulty writer: damaged, with a checksum that fits the damage.
  const std::vector<std::byte> good =
      jit::write_entry(content_of(test::numbered_source(2), Output::ptx_and_cubin));
  std::mt19937 random(9);
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::byte> bytes(good.begin(), good.end() - 16);
    const size_t edits = 1 + random() % 3;
    for (size_t edit = 0; edit < edits; ++edit)
      bytes[random() % 80] = static_cast<std::byte>(random() % 4 == 0 ? 255 : random() % 256);
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    const Hash128 checksum = hash_128(bytes);
    for (const std::uint64_t word : {checksum.high, checksum.low})
      for (int shift = 0; shift < 64; shift += 8)
        bytes.push_back(static_cast<std::byte>((word >> shift) & 255));
    read += jit::read_entry(bytes).has_value() ? 1 : 0;
  }
  CHECK(read < 20000);
}

TEST_CASE("a key holds everything that decides the output", "[jit][key]") {
  const Source source = test::numbered_source(1);
  const CacheKey key = make_key(source, Output::ptx, "build");
  CHECK(make_key(source, Output::ptx, "build") == key);
  std::vector<CacheKey> others{make_key(source, Output::ptx_and_cubin, "build"),
                               make_key(source, Output::lean, "build"),
                               make_key(source, Output::ptx, "other build"),
                               make_key(test::numbered_source(2), Output::ptx, "build")};
  Source changed = source;
  changed.arch = {90};
  others.push_back(make_key(changed, Output::ptx, "build"));
  changed = source;
  changed.text += " ";
  others.push_back(make_key(changed, Output::ptx, "build"));
  for (const CacheKey& other : others) {
    CHECK(other.digest != key.digest);
    CHECK(other.text != key.text);
  }
  CHECK(others[0].digest != others[1].digest);
  // What only the launch needs does not decide the output.
  changed = source;
  changed.threads_per_block = 1024;
  changed.dynamic_smem_bytes = 4096;
  changed.signature = parse_signature("(pointer a, u32 m)");
  CHECK(make_key(changed, Output::ptx, "build") == key);
  CHECK(jit::key_field(key.text, "arch") == "sm_90a");
  CHECK(jit::key_field(key.text, "// source").empty());
}

TEST_CASE("kernels that differ in nothing but their name have one key", "[jit][key]") {
  const auto key_of = [](const std::string& symbol, const std::string& text) {
    return make_key({.symbol = symbol, .text = text, .arch = {90}}, Output::ptx, "build");
  };
  const CacheKey key = key_of("fast", "// fast: faster\nvoid fast(int* fast_a);");
  CHECK(key == key_of("slow", "// slow: faster\nvoid slow(int* fast_a);"));
  CHECK(key.text.ends_with("// ${symbol}: faster\nvoid ${symbol}(int* fast_a);"));
  // Part of a longer word is no name.
  CHECK(key != key_of("slow", "// slow: slower\nvoid slow(int* slow_a);"));
  CHECK(key_of("aa", "aaaa aa aa_ aa").text.ends_with("aaaa ${symbol} aa_ ${symbol}"));
  CHECK(key_of("", "text").text.ends_with("text"));
}
