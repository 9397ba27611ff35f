// The rules that every atom obeys, built in or a user's.
#include <jute/atom/catalogue.hpp>
#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <vector>

#include "atom/told_name.hpp"

namespace jute {
namespace {

using AtomRules = std::vector<std::string>;

/// How often each offset of [0, tile) is reached; the second part counts offsets outside.
struct Coverage {
  std::vector<int> hits;
  Index outside = 0;
};
Coverage coverage(const Layout& layout, Index tile) {
  Coverage result{std::vector<int>(static_cast<std::size_t>(tile)), 0};
  for (Index i = 0; i < size(layout); ++i) {
    const Index offset = layout(i);
    if (offset < 0 || offset >= tile) {
      ++result.outside;
    } else {
      ++result.hits[static_cast<std::size_t>(offset)];
    }
  }
  return result;
}

enum class Sharing : std::uint8_t { forbidden, allowed };

/// Do the modes of stride above 0, by rising stride, form the compact layout of the tile? Exactly
/// then every element is covered, and each equally often.
bool is_even_cover(const Layout& layout, Index tile) {
  std::vector<std::pair<Index, Index>> modes;  // stride, extent
  const std::vector<Index> shape = layout.flat_shape();
  const std::vector<Index> stride = layout.flat_stride();
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1 && stride[i] != 0) modes.emplace_back(stride[i], shape[i]);
  std::ranges::sort(modes);
  Index reached = 1;
  for (const auto& [step, extent] : modes) {
    if (step != reached) return false;
    reached *= extent;
  }
  return reached == tile;
}

/// Layouts beyond this many (thread,value) pairs are refused rather than walked.
constexpr Index kLargestFragment = Index{1} << 20;

bool has_plain_strides(const IntTuple& stride) {
  if (stride.is_leaf()) return stride.is_integer();
  for (int mode = 0; mode < stride.rank(); ++mode)
    if (!has_plain_strides(stride[mode])) return false;
  return true;
}

bool is_thread_value(const Layout& layout) {
  return layout.shape().is_tuple() && layout.rank() == 2 && has_plain_strides(layout.stride());
}

void check_coverage(AtomRules& broken, const std::string& what, const Layout& layout, Index tile,
                    Sharing sharing) {
  if (!is_thread_value(layout)) {
    broken.push_back(what + " must have two modes, (thread,value), and plain integers as strides");
    return;
  }
  if (is_even_cover(layout, tile) && (sharing == Sharing::allowed || size(layout) == tile)) return;
  if (size(layout) > kLargestFragment || tile > kLargestFragment || tile < 1) {
    broken.push_back(what + " and its tile must have at most 1048576 elements");
    return;
  }
  const Coverage covered = coverage(layout, tile);
  if (covered.outside > 0)
    broken.push_back(what + " must stay inside its tile of " + std::to_string(tile) +
                     " elements; " + std::to_string(covered.outside) + " pairs lie outside");
  const auto [least, most] = std::ranges::minmax(covered.hits);
  if (least == 0)
    broken.push_back(what + " must cover its whole tile; " +
                     std::to_string(std::ranges::count(covered.hits, 0)) + " of " +
                     std::to_string(tile) + " elements are missing");
  if (sharing == Sharing::forbidden && most > 1)
    broken.push_back(what + " must cover each element once; one is covered " +
                     std::to_string(most) + " times");
}

void check_threads(AtomRules& broken, const std::string& what, const Layout& layout, int threads) {
  if (is_thread_value(layout) && size(layout[0]) != threads)
    broken.push_back(what + " must have as many threads as thr_id (" + std::to_string(threads) +
                     "), not " + std::to_string(size(layout[0])));
}

/// Lanes are distinct, and few enough for a block.
int check_lanes(AtomRules& broken, const Layout& thr_id) {
  const Index count = size(thr_id);
  if (!has_plain_strides(thr_id.stride())) {
    broken.emplace_back("thr_id must have plain integers as strides");
    return 0;
  }
  if (count > 1024) {
    broken.push_back("thr_id must have at most 1024 threads");
    return 0;
  }
  std::vector<Index> lanes;
  for (Index i = 0; i < count; ++i) lanes.push_back(thr_id(i));
  std::ranges::sort(lanes);
  if (std::ranges::adjacent_find(lanes) != lanes.end())
    broken.push_back("thr_id must map to distinct lanes");
  if (lanes.front() < 0) broken.push_back("thr_id must map to lanes from 0");
  return static_cast<int>(count);
}

void check_operand(AtomRules& broken, const MmaAtom& atom, Operand operand,
                   const std::string& what) {
  const RegisterType type = register_of(atom, operand);
  const Layout& layout = tv_layout(atom, operand);
  if (!in_registers(type) || !is_thread_value(layout)) return;
  const ValueType& value = type_of(atom, operand);
  const int width = register_bits(type, value);
  const int bits = storage_bits(value, static_cast<int>(size(layout[1])));
  if (bits % width != 0)
    broken.push_back("the values of " + what + " must fill whole registers; " +
                     std::to_string(bits) + " bits do not fill registers of " +
                     std::to_string(width));
  else if (bits / width > 255)
    broken.push_back(what + " must take at most 255 registers");
  const bool single = type == RegisterType::f32 && value.dtype != DType::f32;
  const bool wide = type == RegisterType::f64 && value.bits % 64 != 0;
  if (single || wide)
    broken.push_back("a register of type " + std::string(name(type)) + " must hold " +
                     std::string(name(type)) + " values, not " + std::string(value.name));
}

// clang-format off
struct KnownHead { MmaForm form; std::string_view head; };
constexpr std::array kMmaHeads = {
    KnownHead{MmaForm::dp, "dp4a."}, KnownHead{MmaForm::dp, "dp2a."},
    KnownHead{MmaForm::mma, "mma.sync."}, KnownHead{MmaForm::mma_sparse, "mma.sync."}, KnownHead{MmaForm::mma_sparse, "mma.sp"},
    KnownHead{MmaForm::mma_scaled, "mma.sync."}, KnownHead{MmaForm::mma_sparse_scaled, "mma.sync."},
    KnownHead{MmaForm::mma_sparse_scaled, "mma.sp"},
    KnownHead{MmaForm::wgmma_ss, "wgmma.mma_async.sync."}, KnownHead{MmaForm::wgmma_rs, "wgmma.mma_async.sync."},
    KnownHead{MmaForm::wgmma_sparse_ss, "wgmma.mma_async.sp."}, KnownHead{MmaForm::wgmma_sparse_rs, "wgmma.mma_async.sp."},
    KnownHead{MmaForm::tcgen05_ss, "tcgen05.mma."}, KnownHead{MmaForm::tcgen05_ts, "tcgen05.mma."},
    KnownHead{MmaForm::tcgen05_sparse_ss, "tcgen05.mma.sp."}, KnownHead{MmaForm::tcgen05_scaled_ss, "tcgen05.mma."},
    KnownHead{MmaForm::tcgen05_sparse_scaled_ss, "tcgen05.mma.sp."},
};
struct KnownCopyHead { CopyForm form; std::string_view head; };
constexpr std::array kCopyHeads = {
    KnownCopyHead{CopyForm::ldmatrix, "ldmatrix.sync."}, KnownCopyHead{CopyForm::stmatrix, "stmatrix.sync."},
    KnownCopyHead{CopyForm::movmatrix, "movmatrix.sync."}, KnownCopyHead{CopyForm::cp_async, "cp.async."},
    KnownCopyHead{CopyForm::cp_async_zfill, "cp.async."}, KnownCopyHead{CopyForm::ld_global, "ld.global."},
    KnownCopyHead{CopyForm::st_global, "st.global."}, KnownCopyHead{CopyForm::tmem_load, "tcgen05.ld."},
    KnownCopyHead{CopyForm::tmem_load_reduce, "tcgen05.ld.red."}, KnownCopyHead{CopyForm::tmem_store, "tcgen05.st."},
    KnownCopyHead{CopyForm::tmem_copy, "tcgen05.cp."}, KnownCopyHead{CopyForm::tma_load, "cp.async.bulk.tensor."},
    KnownCopyHead{CopyForm::tma_load_multicast, "cp.async.bulk.tensor."}, KnownCopyHead{CopyForm::tma_store, "cp.async.bulk.tensor."},
    KnownCopyHead{CopyForm::tma_reduce, "cp.reduce.async.bulk.tensor."},
};
// clang-format on

/// The only text of a row that reaches the compiler: letters, digits, '_', '.', ':'; L2:: and 128B
/// and the like are the PTX ISA's own capitals.
bool is_mnemonic_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':';
}
bool is_mnemonic(std::string_view text) {
  for (const std::string_view capitals : {"L1::", "L2::", "128B", "256B", "64B"}) {
    const auto at = text.find(capitals);
    if (at == std::string_view::npos) continue;
    return is_mnemonic(text.substr(0, at)) && is_mnemonic(text.substr(at + capitals.size()));
  }
  for (const std::string_view factor : {"::1X", "::2X", "::4X"})
    if (const auto at = text.find(factor); at != std::string_view::npos)
      return is_mnemonic(text.substr(0, at)) && is_mnemonic(text.substr(at + factor.size()));
  return std::ranges::all_of(text, is_mnemonic_character);
}

template <class Heads, class Form>
void check_mnemonic(AtomRules& broken, const std::string& ptx, const Heads& heads, Form form) {
  if (!is_mnemonic(ptx))
    broken.emplace_back(
        "a mnemonic must match [a-z0-9_.:]+ (and L1::, L2::, 128B, 4X where PTX has them)");
  if (ptx.size() > 200) broken.emplace_back("a mnemonic must have at most 200 characters");
  std::string known;
  for (const auto& head : heads) {
    if (head.form != form) continue;
    if (ptx.starts_with(head.head)) return;
    known += (known.empty() ? "" : " or ") + std::string(head.head);
  }
  if (!known.empty())
    broken.push_back("the mnemonic of form " + std::string(name(form)) + " must start with " +
                     known);
  else if (!ptx.empty())
    broken.push_back("form " + std::string(name(form)) +
                     " must have no mnemonic: it has none of its own");
}

/// CuTe's spelling of names, so that a name is one word in every command line and expression.
void check_name(AtomRules& broken, std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_:<>,").find(c) != std::string_view::npos;
  };
  if (name.empty() || name.size() > 200 || !std::ranges::all_of(name, allowed) ||
      (name.front() >= '0' && name.front() <= '9'))
    broken.emplace_back(
        "a name must have letters, digits, '_', ':', '<', '>', ',' and no digit in front");
}

void check_forms_extras(AtomRules& broken, const MmaAtom& atom, int threads) {
  const Index mk = Index{atom.shape.m} * atom.shape.k;
  const Index nk = Index{atom.shape.n} * atom.shape.k;
  const bool on_registers = atom.form == MmaForm::mma_sparse ||
                            atom.form == MmaForm::mma_sparse_scaled || is_wgmma(atom.form);
  if (on_registers && is_sparse(atom) && !atom.metadata)
    broken.emplace_back("a sparse form needs metadata (e_layout, e_type)");
  if (atom.metadata) {
    if (!is_sparse(atom)) broken.emplace_back("metadata needs a sparse form");
    check_coverage(broken, "e_layout", atom.metadata->layout, mk, Sharing::allowed);
    check_threads(broken, "e_layout", atom.metadata->layout, threads);
  }
  const bool scaled = atom.form == MmaForm::mma_scaled || atom.form == MmaForm::mma_sparse_scaled;
  if (scaled && !atom.scale) broken.emplace_back("a scaled form needs scale factors");
  if (!atom.scale) return;
  if (!scaled) broken.emplace_back("scale factors need a scaled form");
  check_coverage(broken, "sfa_layout", atom.scale->a_layout, mk, Sharing::allowed);
  check_coverage(broken, "sfb_layout", atom.scale->b_layout, nk, Sharing::allowed);
  if (atom.scale->vector_elems < 1 || atom.shape.k % atom.scale->vector_elems != 0)
    broken.emplace_back("sf_vec must divide K");
}

bool is_tma(CopyForm form) { return form >= CopyForm::tma_load && form <= CopyForm::tma_reduce; }

/// A box that cuTensorMapEncodeTiled takes: source, CUDA Driver API. It takes rows shorter than the
/// swizzle's span as well; an H200 then leaves gaps between them, which no layout here has.
void check_box(AtomRules& broken, const CopyAtom& atom) {
  if (is_tma(atom.form) != atom.box.has_value()) {
    broken.emplace_back("the TMA forms, and only they, must have a box");
    return;
  }
  if (!atom.box) return;
  const TmaBox& box = *atom.box;
  if (box.inner < 1 || box.inner > 256 || box.outer < 1 || box.outer > 256)
    broken.emplace_back("the extents of a box must lie in 1..256");
  const Index row_bits = Index{box.inner} * box.type.bits;
  if (row_bits % 128 != 0) broken.emplace_back("a row of the box must be a multiple of 16 bytes");
  const Index span = Index{128} << box.smem_swizzle.bits();
  if (box.smem_swizzle.bits() > 0 && row_bits != span)
    broken.push_back("a row of the box must fill the swizzle's span of " +
                     std::to_string(span / 8) + " bytes");
  if (row_bits * box.outer != src_bits(atom) || src_bits(atom) != dst_bits(atom))
    broken.emplace_back("both sides must have the bits of the box");
}

/// Only a row that says nothing of where bits go may leave that to another field.
void check_executed(AtomRules& broken, const CopyAtom& atom) {
  if (!atom.executed_dst_layout) return;
  if (coalesce(atom.dst_layout, IntTuple("(1,1)")) != coalesce(atom.src_layout, IntTuple("(1,1)")))
    broken.emplace_back("executed_dst_layout needs a dst_layout that is the src_layout");
  check_coverage(broken, "executed_dst_layout", *atom.executed_dst_layout, cosize(atom.ref_layout),
                 Sharing::allowed);
}

/// Runs one rule after another; arithmetic beyond 64 bits breaks the last one.
template <class Check>
AtomRules collect(Check check) {
  AtomRules broken;
  try {
    check(broken);
  } catch (const Exception& refusal) {
    broken.push_back(to_string(refusal.error()));
  }
  return broken;
}

bool in_range(int extent) { return extent >= 1 && extent <= 4096; }

}  // namespace

std::vector<std::string> check(const MmaAtom& atom) {
  return collect([&](AtomRules& broken) {
    check_name(broken, atom.name);
    check_mnemonic(broken, atom.ptx, kMmaHeads, atom.form);
    const ShapeMnk& shape = atom.shape;
    if (!in_range(shape.m) || !in_range(shape.n) || !in_range(shape.k)) {
      broken.emplace_back("M, N and K must lie in 1..4096");
      return;
    }
    const int lanes = check_lanes(broken, atom.thr_id);
    // Operands that every thread reads from shared memory; a register belongs to one thread.
    const auto sharing = [&](Operand operand) {
      return in_registers(register_of(atom, operand)) ? Sharing::forbidden : Sharing::allowed;
    };
    const auto fragment = [&](Operand operand, const std::string& what, Index tile) {
      check_coverage(broken, what, tv_layout(atom, operand), tile, sharing(operand));
      check_threads(broken, what, tv_layout(atom, operand), lanes);
    };
    fragment(Operand::a, "a_layout", Index{shape.m} * shape.k);
    fragment(Operand::b, "b_layout", Index{shape.n} * shape.k);
    fragment(Operand::c, "c_layout", Index{shape.m} * shape.n);
    check_operand(broken, atom, Operand::a, "A");
    check_operand(broken, atom, Operand::b, "B");
    check_operand(broken, atom, Operand::c, "C");
    check_operand(broken, atom, Operand::d, "D");
    check_forms_extras(broken, atom, lanes);
    atom::check_told_name(broken, atom);
  });
}

std::vector<std::string> check(const CopyAtom& atom) {
  return collect([&](AtomRules& broken) {
    check_name(broken, atom.name);
    check_mnemonic(broken, atom.ptx, kCopyHeads, atom.form);
    const int lanes = check_lanes(broken, atom.thr_id);
    check_threads(broken, "ref_layout", atom.ref_layout, lanes);
    check_threads(broken, "src_layout", atom.src_layout, lanes);
    check_threads(broken, "dst_layout", atom.dst_layout, lanes);
    check_box(broken, atom);
    check_executed(broken, atom);
    // tcgen05.cp repeats its source and may skip lanes of tensor memory; an assignment's two sides
    // may differ in width.
    if (atom.form == CopyForm::tmem_copy) return;
    const Index bits = cosize(atom.ref_layout);
    check_coverage(broken, "ref_layout", atom.ref_layout, bits, Sharing::allowed);
    if (atom.form == CopyForm::universal) return;
    check_coverage(broken, "src_layout", atom.src_layout, bits, Sharing::allowed);
    check_coverage(broken, "dst_layout", atom.dst_layout, bits, Sharing::allowed);
  });
}

}  // namespace jute
