// One probe emitter for each form of copy instruction.
#include <jute/atom/asm_operands.hpp>
#include <jute/base/refuse.hpp>
#include <jute/emit/instruction.hpp>

#include <algorithm>
#include <bit>

#include "base/format.hpp"
#include "proof/probe_buffers.hpp"

namespace jute {
namespace {

using proof::ProbeText;

/// The memory of one thread's value: a byte at least.
struct CopyWord {
  std::string_view type;
  int bytes = 4;
  Index count = 1;
};
CopyWord word_of(Index bits) {
  if (bits <= 8) return {"unsigned char", 1, 1};
  if (bits == 16) return {"unsigned short", 2, 1};
  return {"unsigned", 4, bits / 32};
}

/// Adds the instruction's function; the text that calls it.
std::string add_instruction(ProbeText& text, const CopyAtom& atom) {
  const InstructionFunction function = instruction_function(atom, text.templates());
  text.add_function(function.text);
  return call_on_registers(function);
}

int block_threads(const CopyAtom& atom) {
  Index last = 0;
  for (Index i = 0; i < size(atom.thr_id); ++i) last = std::max(last, atom.thr_id(i));
  return static_cast<int>(size(atom.thr_id) == 1 ? last + 1 : (last / 32 + 1) * 32);
}

Probe finish(ProbeText& text, const CopyAtom& atom) {
  return text.finish(
      atom.name,
      base::format("src {}  dst {}", to_string(atom.src_layout), to_string(atom.dst_layout)),
      block_threads(atom));
}

void read_src(ProbeText& text, const CopyAtom& atom) {
  const CopyWord word = word_of(src_bits(atom));
  text.read_registers("src", word.type, word.bytes, word.count);
}
void write_dst(ProbeText& text, const CopyAtom& atom) {
  const CopyWord word = word_of(dst_bits(atom));
  text.write_registers("dst", word.type, word.bytes, word.count, ProbeText::Declared::here);
}

/// Registers to registers.
Probe register_probe(ProbeText text, const CopyAtom& atom, const std::string& copy) {
  read_src(text, atom);
  write_dst(text, atom);
  text.execute(copy);
  return finish(text, atom);
}

Probe movmatrix_probe(ProbeText text, const CopyAtom& atom) {
  const std::string copy = add_instruction(text, atom);
  return register_probe(std::move(text), atom, copy);
}

Probe ldmatrix_probe(ProbeText text, const CopyAtom& atom) {
  const Index words = src_bits(atom) / 32;
  text.add_buffer("src", 4, words);
  text.add_buffer("row", 4, 1);
  write_dst(text, atom);
  text.execute(Piece(text.templates(), "probe/rows_in.cu").fill("words", words).text());
  text.execute(add_instruction(text, atom));
  return finish(text, atom);
}

Probe stmatrix_probe(ProbeText text, const CopyAtom& atom) {
  read_src(text, atom);
  text.add_buffer("row", 4, 1);
  const Index words = dst_bits(atom) / 32;
  text.add_written_buffer("dst", 4, words);
  text.execute(Piece(text.templates(), "probe/rows_out.cu")
                   .fill("words", words)
                   .fill("copy", add_instruction(text, atom))
                   .text());
  return finish(text, atom);
}

Probe cp_async_probe(ProbeText text, const CopyAtom& atom) {
  const Index words = src_bits(atom) / 32;
  text.add_buffer("src", 4, words);
  text.add_written_buffer("dst", 4, words);
  text.execute(Piece(text.templates(), "probe/cp_async.cu")
                   .fill("words", words)
                   .fill("copy", add_instruction(text, atom))
                   .text());
  return finish(text, atom);
}

/// Between which lanes a shuffle passes values: where register 1 of lane 0 comes from.
Index lane_distance(const CopyAtom& atom) {
  const Index register_one = atom.dst_layout(Index{0}, Index{32});
  const Layout& src = atom.src_layout;
  for (Index thread = 1; thread < size(src[0]); ++thread)
    for (Index value = 0; value < size(src[1]); value += 32)
      if (src(thread, value) == register_one && std::has_single_bit(static_cast<unsigned>(thread)))
        return thread;
  jute::refuse(ErrorCode::illegal_atom, "dst_layout", to_string(atom.dst_layout),
               "register 1 of thread 0 must come from a thread whose index is "
               "a power of two");
}

Probe shuffle_probe(ProbeText text, const CopyAtom& atom) {
  if (src_bits(atom) != 64 || dst_bits(atom) != 64)
    jute::refuse(ErrorCode::unsupported, "form", atom.name,
                 "a shuffle must transpose two registers of 32 bits");
  const std::string copy =
      Piece(text.templates(), "probe/shuffle.cu").fill("distance", lane_distance(atom)).text();
  return register_probe(std::move(text), atom, copy);
}

/// The box of every pass lies below that of the pass before it.
ProbeTensor tensor_of(const CopyAtom& atom, const char* buffer) {
  const TmaBox& box = *atom.box;
  if (!box.type.dtype)
    jute::refuse(ErrorCode::unsupported, "type", std::string(box.type.name),
                 "it must be a type of tensor maps");
  return {buffer, *box.type.dtype, box.inner, box.outer,
          static_cast<TmaSwizzle>(box.smem_swizzle.bits())};
}

constexpr int kMulticastRanks = 2;

Probe tma_load_probe(ProbeText text, const CopyAtom& atom) {
  const bool multicast = atom.form == CopyForm::tma_load_multicast;
  const int ranks = multicast ? kMulticastRanks : 1;
  const Index words = src_bits(atom) / 32;
  text.add_block_buffer("src", words, ProbeText::Written::no);
  text.add_block_buffer("dst", words, ProbeText::Written::yes);
  text.add_tensor(tensor_of(atom, "src"), ranks);
  const InstructionFunction load = instruction_function(atom, text.templates());
  text.add_function(load.text);
  text.execute(Piece(text.templates(), "probe/tma_load.cu")
                   .fill("load", load.name)
                   .fill("ranks", ranks)
                   .fill("words", words)
                   .fill("bytes", 4 * words)
                   .fill("outer", atom.box->outer)
                   .fill("blocks", multicast ? ", 3" : "")
                   .text());
  return text.finish(atom.name, "the box of a pass", 32);
}

Probe tma_store_probe(ProbeText text, const CopyAtom& atom) {
  const Index words = src_bits(atom) / 32;
  text.add_block_buffer("src", words, ProbeText::Written::no);
  text.add_block_buffer("dst", words, ProbeText::Written::yes);
  text.add_tensor(tensor_of(atom, "dst"), 1);
  text.add_function(instruction_function(atom, text.templates()).text);
  text.execute(Piece(text.templates(), "probe/tma_store.cu")
                   .fill("words", words)
                   .fill("outer", atom.box->outer)
                   .text());
  return text.finish(atom.name, "the box of a pass", 32);
}

Probe assign_probe(ProbeText text, const CopyAtom& atom) {
  const Index words = std::min(word_of(src_bits(atom)).count, word_of(dst_bits(atom)).count);
  const std::string copy = Piece(text.templates(), "probe/assign.cu").fill("words", words).text();
  return register_probe(std::move(text), atom, copy);
}

}  // namespace

Probe make_probe(const CopyAtom& atom, Arch target, const TemplateSet& templates) {
  ProbeText text(templates, target);
  switch (atom.form) {
    case CopyForm::universal:
    case CopyForm::auto_vectorize:
      return assign_probe(std::move(text), atom);
    case CopyForm::shuffle:
      return shuffle_probe(std::move(text), atom);
    case CopyForm::movmatrix:
      return movmatrix_probe(std::move(text), atom);
    case CopyForm::ldmatrix:
      return ldmatrix_probe(std::move(text), atom);
    case CopyForm::stmatrix:
      return stmatrix_probe(std::move(text), atom);
    case CopyForm::cp_async:
    case CopyForm::cp_async_zfill:
      return cp_async_probe(std::move(text), atom);
    case CopyForm::tma_load:
    case CopyForm::tma_load_multicast:
      return tma_load_probe(std::move(text), atom);
    case CopyForm::tma_store:
    case CopyForm::tma_reduce:
      return tma_store_probe(std::move(text), atom);
    default:
      break;
  }
  jute::refuse(ErrorCode::unsupported, "form", std::string(name(atom.form)),
               "a probe needs a copy of registers or shared memory, not of tensor "
               "memory, and no 256-bit global accesses");
}

}  // namespace jute
