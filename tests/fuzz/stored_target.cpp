// The laws of what ranks say to each other, and of what lies on disk.
#include <jute/base/detail/hash.hpp>
#include <jute/base/error.hpp>
#include <jute/bundle/lz4_frame.hpp>
#include <jute/jit/tuned_file.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/shim/cublas_call.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "fuzz/input_bytes.hpp"
#include "fuzz/targets.hpp"
#include "jit/cache_entry.hpp"
#include "ranks/letters.hpp"

namespace jute::test {
namespace {

using ranks::LetterKind;

/// A reader that is fed piece by piece, as a socket does, by who expects these letters.
void read_letters(const std::string& bytes, std::initializer_list<LetterKind> expected,
                  std::size_t piece) {
  ranks::LetterReader reader;
  reader.expect(expected);
  std::string again;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.add(std::string_view(bytes).substr(at, piece));
    while (const auto letter = reader.next()) {
      require_law(std::ranges::find(expected, letter->kind) != expected.end(),
                  "a letter is of a kind that may come");
      if (letter->kind == LetterKind::hello)
        require_law(text_of(ranks::hello_of(letter->text)) == letter->text,
                    "a hello is written as it was");
      if (letter->kind == LetterKind::text)
        if (const auto texts = ranks::unpacked(letter->text, 2))
          require_law(ranks::packed(*texts) == letter->text, "texts are packed as they were");
      again += ranks::as_sent(*letter);
    }
    if (reader.is_wrong()) break;
  }
  require_law(bytes.starts_with(again), "letters are those that were sent");
}

void read_texts(const std::string& bytes) {
  for (std::size_t count = 0; count < 6; ++count)
    if (const auto texts = ranks::unpacked(bytes, count))
      require_law(texts->size() == count && ranks::packed(*texts) == bytes,
                  "texts are packed as they were");
}

/// With the checksum that it must have, or the reader would see nothing else.
void read_cache_entry(const std::string& text) {
  const auto body = std::as_bytes(std::span(text));
  std::vector<std::byte> bytes(body.begin(), body.end());
  const Hash128 checksum = hash_128(body);
  for (const std::uint64_t word : {checksum.high, checksum.low})
    for (int shift = 0; shift < 64; shift += 8)
      bytes.push_back(static_cast<std::byte>(word >> shift & 255));
  const auto entry = jit::read_entry(bytes);
  if (entry) (void)jit::key_field(entry->key, "options");
}

void read_frame(const std::string& text) {
  try {
    const auto content = content_of_lz4_frame(std::as_bytes(std::span(text)));
    require_law(content_of_lz4_frame(lz4_frame(content)) == content, "content is packed as it was");
  } catch (const Exception&) {
    return;
  }
}

void read_choices(const std::string& text) {
  const DeviceInfo device = device_preset("h200");
  const std::string head = to_string(TunedTable{}, device);
  for (const std::string& whole : {text, head + text}) {
    const TunedTable table = parse_tuned(whole, device);
    require_law(table.fault.empty() || table.choices.empty(), "a faulty table has no choices");
    if (table.fault.empty())
      require_law(parse_tuned(to_string(table, device), device) == table,
                  "a table is written as it was");
  }
  try {
    (void)parse_config(text);
  } catch (const Exception&) {
    return;
  }
}

void read_recorded_call(const std::string& text) {
  try {
    const CublasCall call = parse_cublas_call(text);
    require_law(parse_cublas_call(to_line(call)) == call, "a call is written as it was");
    (void)product_of(call);
  } catch (const Exception&) {
    return;
  }
}

}  // namespace

void fuzz_stored(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  const std::string text(bytes.begin() + 1, bytes.end());
  switch (bytes.front() % 8) {
    case 0:
      return read_letters(text, {LetterKind::hello}, 7);
    case 1:
      return read_letters(text, {LetterKind::challenge}, 1);
    case 2:
      return read_letters(text, {LetterKind::text, LetterKind::failure, LetterKind::leave}, 3);
    case 3:
      return read_letters(text, {LetterKind::all_texts, LetterKind::failure, LetterKind::leave},
                          64);
    case 4:
      return read_texts(text);
    case 5:
      return read_cache_entry(text);
    case 6:
      return read_frame(text);
    default:
      read_choices(text);
      return read_recorded_call(text);
  }
}

}  // namespace jute::test
