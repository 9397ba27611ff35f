// Proves a copy atom: each bit of the source carries, over a few executions, the digits of the
// place that the layout gives it, and each bit of the destination must show those of its own.
#include "base/format.hpp"
#include "proof/probe_run.hpp"
#include "proof/probe_values.hpp"
#include "proof/verify_atom.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace jute::proof {
namespace {

/// Calls `visit(thread, value, offset)` for every pair.
template <class Visit>
void for_each_pair(const Layout& layout, Visit visit) {
  for (Index thread = 0; thread < size(layout[0]); ++thread)
    for (Index value = 0; value < size(layout[1]); ++value)
      visit(thread, value, layout(thread, value));
}

Index extent(const Layout& layout) {
  Index most = 0;
  for_each_pair(layout, [&](Index, Index, Index offset) { most = std::max(most, offset); });
  return most + 1;
}

bool is_same_function(const Layout& left, const Layout& right) {
  if (size(left[0]) != size(right[0]) || size(left[1]) != size(right[1])) return false;
  bool same = true;
  for_each_pair(left, [&](Index thread, Index value, Index offset) {
    same = same && right(thread, value) == offset;
  });
  return same;
}

/// One digit of a bit's place; no place has zeros throughout.
int digit(Index offset, Index pass) { return static_cast<int>((offset + 1) >> pass & 1); }

/// Threads whose first bits share a place point to one row.
void fill_rows(const CopyAtom& atom, const Probe& probe, ProbeData& data) {
  const size_t row = index_of(probe, "row");
  if (row == probe.buffers.size()) return;
  const Layout& memory = atom.form == CopyForm::ldmatrix ? atom.src_layout : atom.dst_layout;
  for (Index pass = 0; pass < data.passes; ++pass)
    for (Index thread = 0; thread < threads(atom); ++thread) {
      Index first = 0;
      while (memory(first, Index{0}) != memory(thread, Index{0})) ++first;
      put_bits(data.pass(row, pass), atom.thr_id(thread) * 32, 32,
               static_cast<std::uint64_t>(atom.thr_id(first)));
    }
}

/// Which side of a TMA copy is shared memory, whose bits lie behind the swizzle.
enum class Side : std::uint8_t { src, dst };
Index swizzled(const CopyAtom& atom, Side side, Index bit) {
  if (!atom.box) return bit;
  const bool loads = atom.form == CopyForm::tma_load || atom.form == CopyForm::tma_load_multicast;
  return loads == (side == Side::dst) ? atom.box->smem_swizzle(bit) : bit;
}

void fill(const CopyAtom& atom, const Probe& probe, ProbeData& data) {
  const Index lane = 8 * unit_bytes(probe.buffers.front());
  for_each_pair(atom.src_layout, [&](Index thread, Index value, Index offset) {
    const Index bit = atom.thr_id(thread) * lane + swizzled(atom, Side::src, value);
    for (Index pass = 0; pass < data.passes; ++pass)
      put_bits(data.pass(0, pass), bit, 1, static_cast<std::uint64_t>(digit(offset, pass)));
  });
  fill_rows(atom, probe, data);
}

std::string bit_text(const CopyAtom& atom, Index offset) {
  std::string text = offset < 0 ? "no bit of the source" : base::format("bit {}", offset);
  bool found = false;
  for_each_pair(atom.src_layout, [&](Index thread, Index value, Index place) {
    if (found || place != offset) return;
    found = true;
    text += base::format(" (source thread {} value {})", thread, value);
  });
  return text;
}

std::optional<AtomDifference> first_difference(const CopyAtom& atom, const Layout& dst,
                                               const Probe& probe, const ProbeData& data) {
  const size_t result = data.buffers.size() - 1;
  const Index lane = 8 * unit_bytes(probe.buffers[result]);
  std::optional<AtomDifference> first;
  for (int block = 0; block < probe.blocks && !first; ++block)
    for_each_pair(dst, [&](Index thread, Index value, Index offset) {
      if (first) return;
      const Index bit = (block + atom.thr_id(thread)) * lane + swizzled(atom, Side::dst, value);
      Index seen = 0;
      for (Index pass = 0; pass < data.passes; ++pass)
        seen |= static_cast<Index>(get_bits(data.pass(result, pass), bit, 1)) << pass;
      if (seen - 1 == offset) return;
      first = AtomDifference{"dst", static_cast<int>(thread), value, bit_text(atom, offset),
                             bit_text(atom, seen - 1)};
    });
  return first;
}

AtomProof run(Context& context, SharedDevice& device, const CopyAtom& atom, const Probe& probe,
              AtomProof result) {
  const Layout& dst = atom.executed_dst_layout ? *atom.executed_dst_layout : atom.dst_layout;
  const Index bits = std::max(extent(atom.src_layout), extent(dst));
  ProbeData data(probe, std::bit_width(static_cast<std::uint64_t>(bits)));
  fill(atom, probe, data);
  const ProbeRun ran = run_probe(context, device, atom.name, probe, data);
  if (ran.result != AtomResult::proved) return with(std::move(result), ran.result, ran.reason);
  result.passes = data.passes;
  result.pairs = size(atom.src_layout) + size(dst);
  result.first = first_difference(atom, dst, probe, data);
  result.result = result.first ? AtomResult::refuted : AtomResult::proved;
  if (atom.executed_dst_layout)
    result.reason =
        "CuTe's dst_layout is not what the instruction does; proved is " + to_string(dst);
  return result;
}

}  // namespace

AtomProof verify(Context& context, const CopyAtom& atom, SharedDevice& device) {
  AtomProof result = described(atom);
  if (const auto broken = check(atom); !broken.empty())
    return with(std::move(result), AtomResult::refuted, broken.front());
  if (!is_same_function(atom.ref_layout, atom.src_layout) &&
      !is_same_function(atom.ref_layout, atom.dst_layout))
    return with(std::move(result), AtomResult::refuted,
                "ref_layout is one of src_layout and dst_layout");
  if (auto reason = missing_arch(context, atom.arch); !reason.empty())
    return with(std::move(result), AtomResult::not_executable, std::move(reason));
  auto probe = probe_of(context, atom, result);
  if (auto* without = std::get_if<AtomProof>(&probe)) return std::move(*without);
  return run(context, device, atom, std::get<Probe>(probe), std::move(result));
}

}  // namespace jute::proof
