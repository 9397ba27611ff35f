#pragma once
// A named buffer with its memory on a back end.
#include <jute/emulator/emulator.hpp>

#include <optional>
#include <string>

#include "emulate/launch/comparison.hpp"
#include "emulate/launch/launch_file.hpp"
#include "files/files.hpp"

namespace jute::command {

class BufferMemory {
 public:
  /// Reads its files, allocates, and opens the file that it is saved to.
  ///   throws  bad_file at its place in `launch_file`; what files and memory throw
  BufferMemory(const NamedBuffer& buffer, const std::string& launch_file, Backend& backend);
  /// A variable that a module has already.
  BufferMemory(const NamedBuffer& buffer, const std::string& launch_file, Backend& backend,
               const DeviceVariable& variable);

  [[nodiscard]] const std::string& name() const { return buffer_->name; }
  [[nodiscard]] DevicePointer address() const { return address_; }
  [[nodiscard]] Index bytes() const { return bytes_; }
  /// Is it compared or saved?
  [[nodiscard]] bool is_asked_for() const { return is_judged() || save_.has_value(); }
  [[nodiscard]] bool is_judged() const { return expectation_.has_value(); }
  /// Brings its bytes back.
  void fetch(Backend& backend);
  /// Compares what was fetched with what is expected.
  [[nodiscard]] std::optional<Mismatch> compare() const;
  void save();

 private:
  const NamedBuffer* buffer_;
  Elements elements_;
  std::optional<Expectation> expectation_;
  std::optional<OutputFile> save_;
  Buffer memory_;  ///< none of a variable
  DevicePointer address_ = 0;
  Index bytes_ = 0;  ///< of the elements

  void begin(const std::string& launch_file, Backend& backend);
};

}  // namespace jute::command
