#pragma once
// Bytes packed as a frame of LZ4, which its command unpacks too.
#include <jute/base/export.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace JUTE_API jute {

/// Machine code takes a third of its bytes. Independent blocks, with the content's size and
/// checksum. Source: LZ4 Frame Format 1.6.1, LZ4 Block Format.
[[nodiscard]] std::vector<std::byte> lz4_frame(std::span<const std::byte> content);

/// The bytes that lz4_frame packed.
///   throws  syntax: it is no such frame, or its bytes are not as they were written
[[nodiscard]] std::vector<std::byte> content_of_lz4_frame(std::span<const std::byte> frame);

}  // namespace jute
