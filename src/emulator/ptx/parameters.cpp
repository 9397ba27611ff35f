// Where the parameters of a kernel lie, and which argument fills which of them.
#include "emulator/ptx/parameters.hpp"

#include "base/format.hpp"
#include "emulator/ptx/aligned.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <utility>

namespace jute::emulator {
namespace {

/// Fills parameters in order, each by one argument or by the fields of a struct.
class Filling {
 public:
  Filling(const std::vector<PtxParameter>& declared, const Signature& arguments)
      : declared_(declared), arguments_(arguments) {}

  std::vector<Index> run() {
    for (size_t i = 0; i < declared_.size(); ++i) fill(i);
    if (next_ < arguments_.parameters.size())
      refuse(arguments_.parameters[next_].name,
             base::format("{} arguments", arguments_.parameters.size()),
             base::format("the kernel takes {}: there must be no more than {} arguments", text(),
                          next_));
    return std::move(offsets_);
  }

 private:
  void fill(size_t index) {
    const PtxParameter& parameter = declared_[index];
    Index filled = 0;
    bool has_any = false;
    while (next_ < arguments_.parameters.size() && (!has_any || may_go_on(index, filled))) {
      const Parameter& argument = arguments_.parameters[next_];
      const Index bytes = size_bytes(argument);
      const bool is_whole = !has_any && bytes == parameter.bytes;
      const Index at = is_whole ? 0 : aligned_up(filled, alignment_bytes(argument));
      if (at + bytes > parameter.bytes) {
        if (has_any) return;
        refuse_size(parameter, argument);
      }
      if (!is_whole && !parameter.is_array) refuse_size(parameter, argument);
      offsets_.push_back(parameter.offset_bytes + at);
      filled = at + bytes;
      has_any = true;
      ++next_;
    }
    if (!has_any && parameter.bytes > 0)
      refuse(parameter.name, base::format("{} arguments", arguments_.parameters.size()),
             base::format("the kernel takes {}, and an argument is needed for each", text()));
  }
  // A struct's tail may be padding: the parameters behind it need their arguments.
  [[nodiscard]] bool may_go_on(size_t index, Index filled) const {
    const size_t left = arguments_.parameters.size() - next_;
    return filled < declared_[index].bytes && left > declared_.size() - index - 1;
  }
  [[noreturn]] void refuse_size(const PtxParameter& parameter, const Parameter& argument) const {
    refuse(
        parameter.name,
        base::format("{} {} of {} bytes", name(argument.kind), argument.name, size_bytes(argument)),
        base::format("the parameter has {} bytes, and its argument must fill them; the kernel "
                     "takes {}",
                     parameter.bytes, text()));
  }
  [[noreturn]] static void refuse(std::string operand, std::string value, std::string rule) {
    jute::refuse(ErrorCode::signature_mismatch, std::move(operand), std::move(value),
                 std::move(rule));
  }
  /// `(p: 8 bytes, n: 4 bytes)`
  [[nodiscard]] std::string text() const {
    std::string result = "(";
    for (const PtxParameter& parameter : declared_)
      result += base::format("{}{}: {} bytes", result.size() > 1 ? ", " : "", parameter.name,
                             parameter.bytes);
    return result + ")";
  }

  const std::vector<PtxParameter>& declared_;
  const Signature& arguments_;
  std::vector<Index> offsets_;
  size_t next_ = 0;
};

}  // namespace

std::vector<PtxParameter> declared_parameters(const PtxFunction& entry) {
  std::vector<PtxParameter> result;
  Index end = 0;
  for (const int index : entry.parameters) {
    const Variable& variable = entry.variables[static_cast<size_t>(index)];
    PtxParameter parameter{.name = variable.name,
                           .bytes = variable.bytes,
                           .alignment = std::max(variable.align, 1),
                           .is_array = variable.is_array};
    parameter.offset_bytes = aligned_up(end, parameter.alignment);
    end = parameter.offset_bytes + parameter.bytes;
    result.push_back(std::move(parameter));
  }
  return result;
}

Index parameter_bytes(const std::vector<PtxParameter>& parameters) {
  return parameters.empty() ? 0 : parameters.back().offset_bytes + parameters.back().bytes;
}

}  // namespace jute::emulator

namespace jute {

std::vector<Index> place_arguments(const std::vector<PtxParameter>& declared,
                                   const Signature& arguments) {
  return emulator::Filling(declared, arguments).run();
}

}  // namespace jute
