// Sets of operands, one behind the other.
#include <jute/race/operand_sets.hpp>

#include <algorithm>

namespace jute {
namespace {

constexpr Index kLine = 256;
constexpr Index kCycleBytes = Index{256} << 20;
constexpr Index kMostSets = 1024;

Index whole_lines(Index bytes) { return (bytes + kLine - 1) / kLine * kLine; }

}  // namespace

Index set_bytes(const ByTensor<Index>& bytes) {
  Index all = 0;
  for (const Index one : bytes.all) all += whole_lines(one);
  return std::max(all, kLine);
}

int usual_sets(Index set_bytes) {
  return static_cast<int>(
      std::clamp<Index>((kCycleBytes + set_bytes - 1) / set_bytes, 1, kMostSets));
}

OperandSets::OperandSets(Backend& backend, const ByTensor<Index>& bytes, int sets)
    : backend_(backend),
      bytes_(bytes),
      set_bytes_(set_bytes(bytes)),
      sets_(sets),
      memory_(backend, set_bytes_ * sets) {
  Index next = 0;
  for (const TensorRole role : kAllTensors) {
    offsets_[role] = next;
    next += whole_lines(bytes[role]);
  }
}

ByTensor<DevicePointer> OperandSets::of(int launch) const {
  const Index first = set_bytes_ * (launch % sets_);
  ByTensor<DevicePointer> addresses;
  for (const TensorRole role : kAllTensors)
    if (bytes_[role] > 0)
      addresses[role] = memory_.pointer() + static_cast<DevicePointer>(first + offsets_[role]);
  return addresses;
}

void OperandSets::put(TensorRole role, std::span<const std::byte> block) const {
  for (int set = 0; bytes_[role] > 0 && set < sets_; ++set)
    for (Index done = 0; done < bytes_[role];) {
      const auto bytes = std::min(bytes_[role] - done, static_cast<Index>(block.size()));
      backend_.copy_in(of(set)[role] + static_cast<DevicePointer>(done),
                       block.first(static_cast<std::size_t>(bytes)));
      done += bytes;
    }
}

void OperandSets::fill(TensorRole role, std::uint8_t byte) const {
  for (int set = 0; bytes_[role] > 0 && set < sets_; ++set)
    backend_.fill(of(set)[role], byte, bytes_[role]);
}

}  // namespace jute
