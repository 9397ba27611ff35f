// The functions by which TMA is asked for boxes.
#include <jute/atom/asm_operands.hpp>
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/emit/asm_statement.hpp>
#include <jute/emit/instruction.hpp>
#include <jute/emit/interface.hpp>
#include <jute/emit/piece.hpp>

#include <array>

#include "base/format.hpp"

namespace jute {
namespace {

constexpr std::array<std::string_view, 5> kCoordinates{"inner", "outer", "matrix", "fourth",
                                                       "fifth"};

struct BoxPiece {
  const char *name, *piece;
};
BoxPiece piece_of(CopyForm form, BoxCache cache) {
  if (cache == BoxCache::by_policy && form == CopyForm::tma_load)
    return {"load_box_once", "prelude/tma.cu (once)"};
  if (cache == BoxCache::alone && form == CopyForm::tma_load)
    return {"prefetch_box", "prelude/tma.cu (prefetch)"};
  if (cache == BoxCache::usual) switch (form) {
      case CopyForm::tma_load:
        return {"load_box", "prelude/tma.cu (load)"};
      case CopyForm::tma_load_multicast:
        return {"load_box_for", "prelude/tma.cu (multicast)"};
      case CopyForm::tma_store:
      case CopyForm::tma_reduce:
        return {"store_box", "prelude/tma.cu (store)"};
      default:
        break;
    }
  jute::refuse(ErrorCode::unsupported, "form", std::string(name(form)),
               "TMA must load or store a box; a policy and a prefetch need a plain load");
}

/// The function's parameter that an operand is.
std::string place_of(std::string_view operand, int index) {
  if (operand == "coordinates") return std::string(kCoordinates.at(static_cast<size_t>(index)));
  if (operand == "map") return "&map";
  if (operand == "dst") return "target";
  if (operand == "src") return "source";
  if (operand == "barrier") return "full";
  if (operand == "blocks") return "static_cast<unsigned short>(blocks)";
  return std::string(operand);
}

InstructionParameter parameter_of(const AsmOperand& operand) {
  if (operand.name == "map") return {"map", "TensorMap", false};
  if (operand.name == "blocks") return {"blocks", "unsigned", false};
  return {place_of(operand.name, 0), std::string(cuda_type(operand.type)), false};
}

bool is_of_shared_memory(const AsmOperand& operand) {
  return operand.name == "dst" || operand.name == "barrier";
}

}  // namespace

InstructionFunction box_function(CopyForm form, int dimensions, BoxCache cache,
                                 const TemplateSet& templates) {
  const BoxPiece piece = piece_of(form, cache);
  std::vector<AsmOperand> operands = box_operands(form, dimensions);
  std::string ptx = box_ptx(form, dimensions);
  if (cache == BoxCache::alone) {
    std::erase_if(operands, is_of_shared_memory);
    ptx = base::format("cp.async.bulk.prefetch.tensor.{}d.L2.global.tile", dimensions);
  }
  if (cache == BoxCache::by_policy) {
    operands.push_back({"policy", AsmRole::input, RegisterType::b64});
    ptx += ".L2::cache_hint";
  }
  InstructionFunction function{
      piece.name, {}, "struct alignas(64) TensorMap { unsigned char bytes[128]; };\n", {}};
  std::string coordinates;
  for (const AsmOperand& operand : operands) {
    if (operand.role != AsmRole::coordinates) {
      function.parameters.push_back(parameter_of(operand));
      continue;
    }
    for (int i = 0; i < dimensions; ++i) {
      const std::string name = place_of(operand.name, i);
      function.parameters.push_back({name, "int", false});
      coordinates += (i == 0 ? "int " : ", int ") + name;
    }
  }
  function.text = Piece(templates, piece.piece)
                      .fill("coordinates", coordinates)
                      .fill("instruction", asm_statement(ptx, operands, {.place = place_of}))
                      .text();
  return function;
}

}  // namespace jute
