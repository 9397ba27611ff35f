// Fills the executions that prove an MMA atom and reads what D holds after them.
#include "proof/verify_atom.hpp"

#include "base/format.hpp"
#include "proof/mma_passes.hpp"
#include "proof/mma_places.hpp"
#include "proof/probe_run.hpp"

#include <cstring>

namespace jute::proof {
namespace {

/// Everything that one proof works with.
struct MmaProof {
  const MmaAtom& atom;
  Probe probe;
  MmaPasses plan;
  ProbeData data;
  std::vector<MmaPlace> a, b, c, d;
  std::optional<SparsePlaces> sparse;

  MmaProof(const MmaAtom& proved, Probe made)
      : atom(proved),
        probe(std::move(made)),
        plan(atom, probe.selectors),
        data(probe, static_cast<Index>(plan.passes().size())),
        b(places(atom, Operand::b, probe)),
        c(places(atom, Operand::c, probe)),
        d(places(atom, Operand::d, probe)) {
    if (is_sparse(atom))
      sparse = sparse_places(atom, probe);
    else
      a = places(atom, Operand::a, probe);
  }
};

void put(std::span<std::byte> bytes, Index bit, const ProbeEncoder& encoder, int parts,
         const ProbeValue& value) {
  for (int part = 0; part < parts; ++part)
    put_bits(bytes, bit + Index{part} * encoder.part_bits(), encoder.part_bits(),
             encoder.bits(value[static_cast<size_t>(part)]));
}

void fill_dense_a(MmaProof& proof, const MmaPass& pass, std::span<std::byte> bytes) {
  const ProbeEncoder& encoder = proof.plan.encoder(Operand::a);
  const int count = parts(proof.atom.a_type);
  for (const MmaPlace& place : proof.a)
    if (place.column == proof.plan.column(pass, place.row))
      put(bytes, place.bit, encoder, count, proof.plan.a(pass, place.row));
}

void fill_sparse_a(MmaProof& proof, const MmaPass& pass, std::span<std::byte> bytes,
                   std::span<std::byte> metadata) {
  const SparsePlaces& sparse = *proof.sparse;
  const ProbeEncoder& encoder = proof.plan.encoder(Operand::a);
  const int rows = proof.atom.shape.m;
  for (const auto& nibbles : sparse.nibbles)
    for (const Index bit : nibbles) put_bits(metadata, bit, 4, SparsePlaces::kFirst);
  for (int m = 0; m < rows; ++m) {
    const int k = proof.plan.column(pass, m);
    const SparsePlace& place = sparse.values[static_cast<size_t>(m + rows * k)];
    const SparseChoice choice = sparse.choose(place.position);
    put(bytes, place.bits[static_cast<size_t>(choice.stored)], encoder, 1, proof.plan.a(pass, m));
    for (const Index bit : sparse.nibbles[static_cast<size_t>(m + rows * (k / sparse.group))])
      put_bits(metadata, bit, 4, choice.nibble);
  }
}

/// Scale factors of 1 everywhere.
void fill_scales(MmaProof& proof, Index index) {
  const int one = proof.atom.scale->type.name == "ue4m3" ? 0x38 : 0x7F;
  for (const char* const name : {"scale_a", "scale_b"}) {
    const auto bytes = proof.data.pass(index_of(proof.probe, name), index);
    std::memset(bytes.data(), one, bytes.size());
  }
}

void fill(MmaProof& proof, Index index) {
  const MmaPass& pass = proof.plan.passes()[static_cast<size_t>(index)];
  const auto buffer = [&](std::string_view name) {
    return proof.data.pass(index_of(proof.probe, name), index);
  };
  if (proof.sparse)
    fill_sparse_a(proof, pass, buffer("a"), buffer("metadata"));
  else
    fill_dense_a(proof, pass, buffer("a"));
  const int b_parts = parts(proof.atom.b_type), c_parts = parts(proof.atom.c_type);
  const auto b_bytes = buffer("b"), c_bytes = buffer("c");
  if (pass.kind != MmaPass::Kind::c_digit)
    for (const MmaPlace& place : proof.b)
      put(b_bytes, place.bit, proof.plan.encoder(Operand::b), b_parts,
          proof.plan.b(pass, place.row, place.column));
  else
    for (const MmaPlace& place : proof.c)
      put(c_bytes, place.bit, proof.plan.encoder(Operand::c), c_parts,
          proof.plan.c(pass, place.row, place.column));
  if (proof.sparse) put_bits(buffer("selector"), 0, 32, static_cast<std::uint64_t>(pass.selector));
  if (proof.atom.scale) fill_scales(proof, index);
}

/// Equal integers; a zero may have a sign.
bool holds(std::span<const std::byte> bytes, const MmaPlace& place, const ProbeEncoder& encoder,
           int count, const ProbeValue& expected) {
  for (int part = 0; part < count; ++part) {
    const std::uint64_t bits =
        get_bits(bytes, place.bit + Index{part} * encoder.part_bits(), encoder.part_bits());
    const Index value = expected[static_cast<size_t>(part)];
    if (bits != encoder.bits(value) && (value != 0 || encoder.value(bits) != 0)) return false;
  }
  return true;
}

/// The index that D's place held in the passes that agree with `like` but for their digit;
/// nothing when that is no index or the pass has an imaginary unit.
std::optional<Index> index_seen(const MmaProof& proof, const MmaPlace& place, MmaPass like,
                                MmaPass::Kind kind, const DigitCode& code) {
  Index number = 0, weight = 1;
  for (like.digit = 0; like.digit < code.digits; ++like.digit, weight *= code.base)
    for (size_t i = 0; i < proof.plan.passes().size(); ++i) {
      const MmaPass& pass = proof.plan.passes()[i];
      if (pass.kind != kind || pass.digit != like.digit || pass.shift != like.shift ||
          pass.wrap != like.wrap || pass.selector != like.selector || pass.unit_a != like.unit_a ||
          pass.unit_b != like.unit_b || pass.part != like.part)
        continue;
      const ProbeEncoder& encoder = proof.plan.encoder(Operand::d);
      const auto bytes = proof.data.pass(proof.data.buffers.size() - 1, static_cast<Index>(i));
      number += weight * encoder.value(get_bits(bytes, place.bit, encoder.part_bits()));
    }
  return number < 1 ? std::nullopt : std::optional(number - 1);
}

std::string coordinate(Index index, int rows, int columns) {
  if (index >= Index{rows} * columns) return "(no single value)";
  return base::format("({},{})", index % rows, index / rows);
}

AtomDifference describe(const MmaProof& proof, const MmaPlace& place, const MmaPass& pass) {
  const ShapeMnk& shape = proof.atom.shape;
  AtomDifference result{"D", place.thread, place.value, {}, {}};
  if (pass.kind == MmaPass::Kind::c_digit) {
    const auto seen = index_seen(proof, place, pass, pass.kind, proof.plan.c_code());
    result.operand = "C";
    result.expected = base::format("C({},{})", place.row, place.column);
    result.got = seen ? "C" + coordinate(*seen, shape.m, shape.n) : "0";
    return result;
  }
  const int k = proof.plan.column(pass, place.row);
  result.expected = base::format("A({0},{1})*B({2},{1}) as D({0},{2})", place.row, k, place.column);
  const auto b = index_seen(proof, place, pass, MmaPass::Kind::b_digit, proof.plan.b_code());
  MmaPass first = pass;
  first.wrap = 0;
  const auto a = index_seen(proof, place, first, MmaPass::Kind::a_digit, proof.plan.a_code());
  result.got = a ? base::format("A row {} times B{}", *a,
                                b ? coordinate(*b, shape.n, shape.k) : std::string(" of zeros"))
                 : "0";
  return result;
}

/// The first pair, thread by thread, that differs in any pass.
std::optional<AtomDifference> first_difference(const MmaProof& proof) {
  const MmaPlace* first = nullptr;
  const MmaPass* in_pass = nullptr;
  const ProbeEncoder& encoder = proof.plan.encoder(Operand::d);
  const int count = parts(proof.atom.d_type);
  const size_t result = proof.data.buffers.size() - 1;
  for (size_t i = 0; i < proof.plan.passes().size(); ++i) {
    const MmaPass& pass = proof.plan.passes()[i];
    const auto bytes = proof.data.pass(result, static_cast<Index>(i));
    for (const MmaPlace& place : proof.d) {
      if (first != nullptr && &place >= first) break;
      if (holds(bytes, place, encoder, count, proof.plan.d(pass, place.row, place.column)))
        continue;
      first = &place;
      in_pass = &pass;
    }
  }
  if (first == nullptr) return std::nullopt;
  return describe(proof, *first, *in_pass);
}

Index pairs(const MmaProof& proof) {
  const auto count = [&](Operand operand) {
    const Layout& layout = tv_layout(proof.atom, operand);
    return in_registers(register_of(proof.atom, operand)) ? size(layout) : size(layout[1]);
  };
  return count(Operand::a) + count(Operand::b) + count(Operand::c) +
         (proof.sparse ? proof.sparse->metadata_pairs : 0);
}

AtomProof run(Context& context, SharedDevice& device, AtomProof result, MmaProof proof) {
  for (Index i = 0; i < proof.data.passes; ++i) fill(proof, i);
  const ProbeRun ran = run_probe(context, device, result.name, proof.probe, proof.data);
  if (ran.result != AtomResult::proved) return with(std::move(result), ran.result, ran.reason);
  result.passes = proof.data.passes;
  result.pairs = pairs(proof);
  result.first = first_difference(proof);
  result.result = result.first ? AtomResult::refuted : AtomResult::proved;
  return result;
}

}  // namespace

AtomProof verify(Context& context, const MmaAtom& atom, SharedDevice& device) {
  AtomProof result = described(atom);
  if (const auto broken = check(atom); !broken.empty())
    return with(std::move(result), AtomResult::refuted, broken.front());
  if (auto reason = missing_arch(context, atom.arch); !reason.empty())
    return with(std::move(result), AtomResult::not_executable, std::move(reason));
  if (auto broken = broken_form(atom))
    return with(std::move(result), AtomResult::refuted, *std::move(broken));
  auto probe = probe_of(context, atom, result);
  if (auto* without = std::get_if<AtomProof>(&probe)) return std::move(*without);
  return run(context, device, std::move(result), MmaProof(atom, std::get<Probe>(std::move(probe))));
}

}  // namespace jute::proof
