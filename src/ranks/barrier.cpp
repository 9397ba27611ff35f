// How ranks meet: two halves of a window by turns, so that readers of the last turn are not waited
// for.
#include "ranks/barrier.hpp"

#include <jute/emit/piece.hpp>

#include <algorithm>
#include <span>
#include <vector>

#include "base/format.hpp"

namespace jute::ranks {
namespace {

constexpr Index kHalfAlignment = 256, kWarp = 32;
constexpr Index kPointerBytes = 8;

Index rounded(Index bytes, Index step) { return (bytes + step - 1) / step * step; }

}  // namespace

Index flags_bytes(Index ranks) { return rounded(ranks * kFlagBytes, kHalfAlignment); }

Source barrier_source(const TemplateSet& templates, const Arch& arch, Index ranks) {
  const std::string symbol = base::format("jute_barrier_{}", ranks);
  Piece piece(templates, "kernel/barrier.cu");
  piece.fill("ranks", ranks).fill("threads", rounded(ranks, kWarp)).fill("symbol", symbol);
  Source source;
  source.symbol = symbol;
  source.text = piece.text();
  source.arch = arch;
  source.signature = {{{"windows", ParameterKind::bytes, static_cast<int>(kPointerBytes * ranks),
                        static_cast<int>(kPointerBytes)},
                       {"fault", ParameterKind::pointer},
                       {"rank", ParameterKind::i32},
                       {"turn", ParameterKind::u32},
                       {"limit_ns", ParameterKind::u64}}};
  source.threads_per_block = static_cast<int>(rounded(ranks, kWarp));
  return source;
}

LaunchSpec barrier_launch(const Window& window, Index rank, Index ranks, std::uint32_t turn) {
  std::vector<DevicePointer> windows;
  for (Index peer = 0; peer < ranks; ++peer) windows.push_back(window.peer(peer));
  LaunchSpec spec;
  spec.block.x = rounded(ranks, kWarp);
  spec.arguments.bytes(std::as_bytes(std::span(windows)), static_cast<int>(kPointerBytes))
      .pointer(window.fault())
      .i32(static_cast<std::int32_t>(rank))
      .u32(turn)
      .u64(window.limit_ns());
  return spec;
}

std::optional<ShownHalf> open_half(Communicator& communicator, Index bytes, Stream stream) {
  WindowTurns& turns = communicator.turns();
  if (turns.is_refused) return std::nullopt;
  const Index flags = flags_bytes(communicator.size());
  if (turns.window == nullptr || turns.half_bytes < bytes) {
    const Index half = rounded(std::max<Index>(bytes, kHalfAlignment), kHalfAlignment);
    std::shared_ptr<const Window> window = communicator.share(flags + 2 * half);
    turns = {std::move(window), half, 0, false};
    turns.is_refused = turns.window == nullptr;
    if (turns.is_refused) return std::nullopt;
  }
  communicator.follow(stream);
  ++turns.turn;
  return ShownHalf{turns.window, turns.turn, flags + turns.half_bytes * (turns.turn % 2)};
}

void close_half(Communicator& communicator, Stream stream) { communicator.keep(stream); }

}  // namespace jute::ranks
