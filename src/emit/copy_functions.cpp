// Fills the pieces that hold a copy instruction.
#include <jute/atom/asm_operands.hpp>
#include <jute/emit/asm_statement.hpp>
#include <jute/emit/copy_functions.hpp>
#include <jute/emit/piece.hpp>
#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <iterator>

#include "base/format.hpp"

namespace jute {
namespace {

/// `reg[0] = __byte_perm(pairs[0], pairs[1], 0x6420);`: each register of the fragment from the two
/// that hold its bytes.
std::string byte_permutes(const Layout& bytes) {
  std::string lines;
  for (Index reg = 0; reg < size(bytes) / 4; ++reg) {
    const Index low = bytes(4 * reg) / 4, high = bytes(4 * reg + 3) / 4;
    unsigned selector = 0;
    for (Index byte = 0; byte < 4; ++byte) {
      const Index from = bytes(4 * reg + byte);
      selector |= static_cast<unsigned>(from % 4 + (from / 4 == low ? 0 : 4)) << 4 * byte;
    }
    lines += base::format("reg[{}] = __byte_perm(pairs[{}], pairs[{}], {:#06x});\n", reg, low, high,
                          selector);
  }
  return lines;
}

std::string statement(const CopyAtom& atom) {
  return asm_statement(atom.ptx, asm_operands(atom), {});
}

}  // namespace

std::string fragment_load(const CopyAtom& atom, const std::string& lower, const std::string& upper,
                          const std::optional<Layout>& bytes, const TemplateSet& templates) {
  const auto place = [&](std::string_view name, int index) {
    if (name != "dst") return std::string("row");
    return base::format("{}[{}]", bytes ? "pairs" : "reg", index);
  };
  Piece piece(templates, bytes ? "fragment/ldmatrix.cu (bytes)" : "fragment/ldmatrix.cu");
  if (bytes) piece.fill("permutes", byte_permutes(*bytes));
  return piece.fill("atom", atom.name)
      .fill("x", lower)
      .fill("X", upper)
      .fill("count", size(atom.dst_layout[1]) / 32)
      .fill("instruction", asm_statement(atom.ptx, asm_operands(atom), {.place = place}))
      .text();
}

namespace {

/// Types that only later chips convert by an instruction. Source: PTX ISA, cvt.
struct ConvertedSince {
  DType type;
  int arch;
};
constexpr ConvertedSince kConvertedSince[] = {
    {DType::bf16, 80}, {DType::e4m3, 89}, {DType::e5m2, 89}};

/// Where a part of convert/<type>.cu is: by arithmetic for chips without the instruction.
std::string conversion_path(const TemplateSet& templates, DType type, std::string_view part,
                            Arch arch) {
  const auto* const row = std::ranges::find(kConvertedSince, type, &ConvertedSince::type);
  const bool is_old = row != std::end(kConvertedSince) && arch.number < row->arch;
  const std::string file = base::format("convert/{}.cu", name(type));
  const std::string by_arithmetic =
      base::format("{} ({}{}sm_75)", file, part, part.empty() ? "" : ", ");
  if (is_old && templates.pieces().contains(by_arithmetic)) return by_arithmetic;
  return part.empty() ? file : base::format("{} ({})", file, part);
}

}  // namespace

std::string element_type(const TemplateSet& templates, DType type, Arch arch) {
  return Piece(templates, conversion_path(templates, type, "", arch)).text();
}

std::string conversions(const TemplateSet& templates, std::set<DType> stored, DType compute,
                        Arch arch) {
  // convert/<type>.cu already has it.
  stored.erase(compute);
  if (compute == DType::f32) {
    stored.erase(DType::f16);
    stored.erase(DType::bf16);
  }
  std::string text;
  for (const DType type : stored)
    for (const char* const part : {"out", "wide"})
      if (const std::string path = conversion_path(templates, type, part, arch);
          templates.pieces().contains(path))
        text += Piece(templates, path).text();
  return text;
}

std::string whole_conversions(const TemplateSet& templates, const std::set<DType>& stored) {
  std::string text;
  for (const DType type : stored)
    text += Piece(templates, type == DType::s32 ? "epilogue/gather.cu (whole s32)"
                                                : "epilogue/gather.cu (whole)")
                .fill_if("type", std::string(name(type)))
                .text();
  return text;
}

std::string subtile_load(const CopyAtom& atom, const TemplateSet& templates) {
  return Piece(templates, "specialised/subtile_c.cu (matrix)")
      .fill("atom", atom.name)
      .fill("count", size(atom.dst_layout[1]) / 32)
      .fill("instruction", statement(atom))
      .text();
}

std::string subtile_store(const CopyAtom& atom, const TemplateSet& templates) {
  if (atom.form == CopyForm::universal)
    return Piece(templates, size(atom.src_layout) == 64 ? "specialised/fill.cu (store words)"
                                                        : "specialised/fill.cu (store pair)")
        .text();
  return Piece(templates, "specialised/fill.cu (store)")
      .fill("atom", atom.name)
      .fill("instruction", statement(atom))
      .text();
}

std::string async_copies(const TemplateSet& templates) {
  const auto of_bytes = [](const char* ptx, const char* bytes) {
    const std::vector<AsmOperand> operands{{"target", AsmRole::address},
                                           {"source", AsmRole::address, RegisterType::b64},
                                           {"kBytes", AsmRole::immediate},
                                           {"bytes", AsmRole::input}};
    const auto place = [](std::string_view name, int) { return std::string(name); };
    AsmStyle style{.place = place};
    if (bytes != nullptr) style.immediate = [=](std::string_view) { return std::string(bytes); };
    return asm_statement(ptx, operands, style);
  };
  return Piece(templates, "prelude/cp_async.cu")
      .fill("whole_line", of_bytes("cp.async.cg.shared.global.L2::128B", "16"))
      .fill("part", of_bytes("cp.async.ca.shared.global", nullptr))
      .text();
}

}  // namespace jute
