// Frames of LZ4: what is packed comes back, by jute and by the launcher of C, and damage is told.
#include <jute/bundle/bundle.hpp>
#include <jute/bundle/lz4_frame.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "cli/command.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;
namespace fs = std::filesystem;

namespace {

using Content = std::vector<std::byte>;

Content bytes_of(const std::string& text) {
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

void save(const fs::path& path, const Content& content) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(content.data()),
             static_cast<std::streamsize>(content.size()));
}

/// As machine code has them: words that come again, runs of zeros, noise.
Content mixed(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  Content content;
  while (content.size() < size) {
    const std::size_t length = random() % 300;
    const std::size_t back =
        content.empty() ? 0 : 1 + random() % std::min<std::size_t>(content.size(), 70000);
    const std::size_t kind = random() % 3;
    for (std::size_t i = 0; i < length && content.size() < size; ++i)
      content.push_back(kind == 0 || back == 0 ? static_cast<std::byte>(random())
                        : kind == 1            ? std::byte{0}
                                               : content[content.size() - back]);
  }
  return content;
}

}  // namespace

TEST_CASE("a frame has what was packed", "[bundle][lz4]") {
  // Source: `printf '…' | lz4 --content-size`, lz4 1.9.4.
  const std::string written(
      "\x04\x22\x4d\x18\x6c\x40\x3c\0\0\0\0\0\0\0\x38\x29\0\0\0\x5fjute \x05\0\0\xf5\x07!"
      " and some more words,\x15\0\x50 more\0\0\0\0\x68\x3c\x77\x43",
      68);
  CHECK(content_of_lz4_frame(bytes_of(written)) ==
        bytes_of("jute jute jute jute jute! and some more words, and some more"));
  for (std::size_t size = 0; size < 40; ++size) {
    CHECK(content_of_lz4_frame(lz4_frame(Content(size, std::byte{7}))) ==
          Content(size, std::byte{7}));
    CHECK(content_of_lz4_frame(lz4_frame(mixed(size, 1))) == mixed(size, 1));
  }
  for (unsigned seed = 2; seed < 12; ++seed) {
    const Content content = mixed(1000 * seed * seed, seed);
    const Content frame = lz4_frame(content);
    CHECK(content_of_lz4_frame(frame) == content);
    CHECK(frame.size() < content.size() * 2 / 3);
  }
  // Two blocks, of which the second cannot be packed.
  Content large(std::size_t{4} << 20, std::byte{1});
  for (const std::byte byte : mixed(100, 13)) large.push_back(byte);
  CHECK(content_of_lz4_frame(lz4_frame(large)) == large);
}

TEST_CASE("a frame that is not as it was written is refused", "[bundle][lz4][refusal]") {
  const Content content = mixed(700, 21), frame = lz4_frame(content);
  const auto refused = [](const Content& damaged) {
    return refusal_of([&] { (void)content_of_lz4_frame(damaged); });
  };
  for (std::size_t at = 0; at < frame.size(); ++at) {
    Content damaged = frame;
    damaged[at] ^= std::byte{0x40};
    INFO(at);
    CHECK(refused(damaged).code == ErrorCode::syntax);
    CHECK(refused(Content(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(at))).code ==
          ErrorCode::syntax);
  }
  Content longer = frame;
  longer.push_back(std::byte{0});
  CHECK(refused(longer).violated_rules.front() == "the content must be as it was written");
}

TEST_CASE("the launcher of C unpacks frames, and survives damaged ones", "[bundle][lz4]") {
  const TemporaryFolder folder;
  for (const BundleFile& file :
       files_of({.name = "none", .images = {{.stem = "none.0", .symbol = "none"}}}))
    std::ofstream(folder.path() / file.name) << file.bytes;
  const std::string program = folder.file("unpack");
  const ProcessResult built =
      run_process({"cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", JUTE_C_FLAGS,
                   "-DBUNDLE_SOURCE=\"none.c\"", "-I" + folder.file("."), "-o", program,
                   JUTE_SOURCE_DIR "/tests/bundle/programs/unpack.c", "-ldl"});
  INFO(built.err);
  REQUIRE(built.status == 0);
  const Content large(std::size_t{5} << 20, std::byte{1});
  for (const Content& content :
       {mixed(3000, 31), Content(), Content(1, std::byte{3}), mixed(15, 32), large}) {
    save(folder.path() / "image.cubin.lz4", lz4_frame(content));
    std::vector<std::string> line{program, folder.file("."), "image", folder.file("content")};
    if (content.size() < 4000) line.emplace_back("and damaged ones");
    const ProcessResult run = run_process(line);
    INFO(content.size() << " " << run.err);
    CHECK(run.status == 0);
    std::ifstream file(folder.path() / "content", std::ios::binary);
    const std::string found{std::istreambuf_iterator<char>(file), {}};
    CHECK(bytes_of(found) == content);
  }
}
