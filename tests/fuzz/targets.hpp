#pragma once
// What is fuzzed: texts through the readers, and chains of operations on random layouts. All throw
// std::logic_error where a law is broken; refusals are fine.
#include <cstdint>
#include <span>

namespace jute::test {

/// The bytes are one expression. What it prints reads back to the same text.
void fuzz_text(std::span<const std::uint8_t> bytes);
/// The bytes choose layouts and operations; each result is compared with evaluation.
void fuzz_operations(std::span<const std::uint8_t> bytes);
/// The bytes are an epilogue's expression; behind a zero they choose a tree. What breaks no rule
/// prints and reads back, has a value within its bound, and CUDA text.
void fuzz_epilogue(std::span<const std::uint8_t> bytes);
/// The bytes are a problem's text, or a file of them. What is read prints and reads back, and so
/// does what completes it.
void fuzz_problem(std::span<const std::uint8_t> bytes);
/// The bytes are a PTX text. It is listed and decoded, or refused.
void fuzz_ptx(std::span<const std::uint8_t> bytes);
/// Behind a byte that chooses checks and schedule, a PTX text, whose kernels run within limits.
void fuzz_run(std::span<const std::uint8_t> bytes);

/// The bytes choose calls of the C interface and what they are given. Each answers, and says why it
/// fails; no handle is taken that was freed.
void fuzz_calls(std::span<const std::uint8_t> bytes);

/// The bytes are a CUDA program. What is left of it for its kernels has as many lines, is left as
/// it is a second time, and its launches are read.
void fuzz_program(std::span<const std::uint8_t> bytes);

/// The bytes are a manifest whose images are there. It is refused by a rule, or everything in it
/// has a place that is there.
void fuzz_manifest(std::span<const std::uint8_t> bytes);

/// Behind a byte that chooses a reader, what other processes may have left: letters of ranks as
/// they come from a socket, texts of a folder, an entry of a cache or of a packed layer, an image's
/// frame, kept choices, a config, a recorded call of cuBLAS. What is read is written as it was; all
/// else is refused.
void fuzz_stored(std::span<const std::uint8_t> bytes);

}  // namespace jute::test
