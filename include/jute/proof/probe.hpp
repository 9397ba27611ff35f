#pragma once
// Probe kernels: one instruction executed on operands that the host chooses bit by bit.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/emit/template_set.hpp>
#include <jute/launch/source.hpp>
#include <jute/launch/tensor_map_spec.hpp>
#include <jute/layout/swizzle.hpp>

#include <optional>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// An array that a probe reads or writes: `words` for each thread of a block or, shared, for the
/// block as a whole. Block p uses the part of pass p.
struct ProbeBuffer {
  std::string name = {};
  int word_bytes = 4;
  Index words = 0;
  bool per_thread = true;
  bool operator==(const ProbeBuffer&) const = default;
};

/// A buffer that the kernel also sees through a tensor map, its last parameter: `outer` rows of
/// `inner` elements for each pass, one box.
struct ProbeTensor {
  std::string buffer = {};
  DType type = DType::f32;
  Index inner = 0;
  Index outer = 0;
  TmaSwizzle swizzle = TmaSwizzle::none;
};

/// A kernel whose every block executes one atom once. Its parameters are the buffers in order; it
/// reads all of them but the last, which it writes. Registers lie in a buffer as consecutive words
/// of the thread's lane, so value v of a fragment starts at bit v times its width.
struct Probe {
  Source source = {};
  std::vector<ProbeBuffer> buffers = {};
  int selectors = 1;  ///< sparse forms: how many threads may supply one piece of metadata
  int blocks = 1;     ///< of one pass, a cluster
  std::optional<ProbeTensor> tensor = {};
};

/// How a probe lays an operand that the instruction reads from shared memory: (MN,K) -> element,
/// for the elements that are stored (of 2:4 sparse A every second one).
[[nodiscard]] ComposedLayout probe_tile(const MmaAtom& atom, Operand operand);

/// Buffers: a, b, c, then metadata and selector of sparse forms, scale_a and scale_b of scaled
/// ones; d is written. A lane that the atom's thr_id leaves out takes part with its own words.
///   throws  unsupported: the form works on tensor memory; illegal_config: an operand in shared
///           memory that no descriptor describes
///   source  PTX ISA: mma, wgmma.mma_async, dp2a, dp4a
[[nodiscard]] Probe make_probe(const MmaAtom& atom, Arch target,
                               const TemplateSet& templates = TemplateSet::built_in());
/// Buffers: src, and dst, which is written; between them, where threads point to rows of shared
/// memory, the row of each thread. A side in memory has the words that the thread points to.
/// TMA: src and dst are the box of the pass, as global and as shared memory hold it; a multicast
/// writes it once for each block.
///   throws  unsupported: tensor memory; illegal_atom: a shuffle between no two lanes
///   source  PTX ISA: ldmatrix, stmatrix, movmatrix, shfl.sync, cp.async
[[nodiscard]] Probe make_probe(const CopyAtom& atom, Arch target,
                               const TemplateSet& templates = TemplateSet::built_in());

}  // namespace jute
