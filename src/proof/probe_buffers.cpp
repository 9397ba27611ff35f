// Assembles a probe kernel from its buffers and its instruction.
#include "proof/probe_buffers.hpp"

#include "base/format.hpp"

namespace jute::proof {

int word_bytes(RegisterType type, const ValueType& value) {
  return register_bits(type, value) > 32 ? 8 : 4;
}

void ProbeText::add_parameter(const std::string& name, std::string_view cuda_type,
                              ProbeBuffer buffer, bool is_written) {
  parameters_ += base::format("{}{}{}* __restrict__ {}", parameters_.empty() ? "" : ",\n",
                              is_written ? "" : "const ", cuda_type, name);
  buffers_.push_back(std::move(buffer));
}

void ProbeText::read_registers(const std::string& name, std::string_view cuda_type, int bytes,
                               Index count) {
  add_parameter(name, cuda_type, {name, bytes, count, true}, false);
  inputs_ += Piece(templates_, "probe/registers_in.cu")
                 .fill("type", std::string(cuda_type))
                 .fill("name", name)
                 .fill("count", count)
                 .text();
}

void ProbeText::write_registers(const std::string& name, std::string_view cuda_type, int bytes,
                                Index count, Declared declared) {
  add_parameter(name, cuda_type, {name, bytes, count, true}, true);
  if (declared == Declared::here)
    inputs_ += base::format("{} {}_reg[{}];\n", cuda_type, name, count);
  outputs_ +=
      Piece(templates_, "probe/registers_out.cu").fill("name", name).fill("count", count).text();
}

void ProbeText::read_tile(const std::string& name, const std::string& layout, Index bytes,
                          const std::string& descriptor) {
  const Index words = (bytes + 3) / 4;
  add_parameter(name, "unsigned", {name, 4, words, false}, false);
  inputs_ += Piece(templates_, "probe/tile_in.cu")
                 .fill("name", name)
                 .fill("layout", layout)
                 .fill("count", words)
                 .fill("descriptor", descriptor)
                 .text();
}

void ProbeText::read_block_word(const std::string& name) {
  add_parameter(name, "unsigned", {name, 4, 1, false}, false);
}

void ProbeText::add_buffer(const std::string& name, int bytes, Index count) {
  add_parameter(name, "unsigned", {name, bytes, count, true}, false);
}
void ProbeText::add_written_buffer(const std::string& name, int bytes, Index count) {
  add_parameter(name, "unsigned", {name, bytes, count, true}, true);
}

void ProbeText::add_block_buffer(const std::string& name, Index words, Written written) {
  add_parameter(name, "unsigned", {name, 4, words, false}, written == Written::yes);
}
void ProbeText::add_tensor(ProbeTensor tensor, int blocks) {
  parameters_ += ",\nconst __grid_constant__ TensorMap map";
  add_function("struct alignas(64) TensorMap { unsigned char bytes[128]; };\n");
  tensor_ = std::move(tensor);
  blocks_ = blocks;
}

Probe ProbeText::finish(const std::string& atom, const std::string& layouts, int threads) {
  Piece piece(templates_, "probe/block.cu");
  piece.fill("atom", atom)
      .fill("layouts", layouts)
      .fill("threads", threads)
      .fill("functions", functions_)
      .fill("parameters", parameters_)
      .fill("inputs", inputs_)
      .fill("execute", execute_)
      .fill("outputs", outputs_)
      .fill("symbol", "");
  Probe probe;
  probe.source.symbol = base::format("jute_probe_{:016x}", symbol_hash(piece.text()));
  probe.source.text = piece.fill("symbol", probe.source.symbol).text();
  probe.source.arch = target_;
  probe.source.threads_per_block = threads;
  for (const ProbeBuffer& buffer : buffers_)
    probe.source.signature.parameters.push_back({buffer.name, ParameterKind::pointer});
  if (tensor_) probe.source.signature.parameters.push_back({"map", ParameterKind::tensor_map});
  probe.buffers = std::move(buffers_);
  probe.tensor = std::move(tensor_);
  probe.blocks = blocks_;
  return probe;
}

}  // namespace jute::proof
