#pragma once
// The parameters of a probe kernel and the lines that read and write them.
#include <jute/emit/piece.hpp>
#include <jute/proof/probe.hpp>

namespace jute::proof {

/// Grows line by line while a form adds its operands.
class ProbeText {
 public:
  ProbeText(const TemplateSet& templates, Arch target) : templates_(templates), target_(target) {}

  /// Registers of every thread, read before the instruction.
  void read_registers(const std::string& name, std::string_view cuda_type, int word_bytes,
                      Index count);
  /// The same, written after it; declared here unless the instruction's own text does that.
  enum class Declared { here, elsewhere };
  void write_registers(const std::string& name, std::string_view cuda_type, int word_bytes,
                       Index count, Declared declared);
  /// Bytes in shared memory behind a descriptor.
  void read_tile(const std::string& name, const std::string& layout, Index bytes,
                 const std::string& descriptor);
  /// One word for the whole block.
  void read_block_word(const std::string& name);
  /// Words of every thread that the instruction's own text reads or writes.
  void add_buffer(const std::string& name, int word_bytes, Index count);
  void add_written_buffer(const std::string& name, int word_bytes, Index count);
  /// Words of the block, and whether the kernel names them or sees a tensor map alone.
  enum class Written { no, yes };
  void add_block_buffer(const std::string& name, Index words, Written written);
  /// The tensor map of a buffer, and how many blocks make one pass.
  void add_tensor(ProbeTensor tensor, int blocks);
  void add_function(const std::string& text) { functions_ += text; }
  void execute(const std::string& text) { execute_ += text; }
  [[nodiscard]] const TemplateSet& templates() const { return templates_; }

  [[nodiscard]] Probe finish(const std::string& atom, const std::string& layouts, int threads);

 private:
  void add_parameter(const std::string& name, std::string_view cuda_type, ProbeBuffer buffer,
                     bool is_written);
  const TemplateSet& templates_;
  Arch target_;
  std::vector<ProbeBuffer> buffers_;
  std::optional<ProbeTensor> tensor_;
  int blocks_ = 1;
  std::string parameters_, functions_, inputs_, execute_, outputs_;
};

/// Bytes of one register.
[[nodiscard]] int word_bytes(RegisterType type, const ValueType& value);

/// d = a * b + c of one thread, for every value type.
[[nodiscard]] Probe fma_probe(const MmaAtom& atom, Arch target, const TemplateSet& templates);

}  // namespace jute::proof
