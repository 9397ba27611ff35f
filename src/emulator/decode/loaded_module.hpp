#pragma once
// A parsed PTX text whose variables have addresses: what the kernels loaded from it share.
#include "emulator/decode/decode.hpp"
#include "emulator/ptx/ptx_ast.hpp"
#include "emulator/run/global_memory.hpp"

#include <jute/emulator/emulator.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jute::emulator {

class LoadedModule {
 public:
  /// throws  bad_file with line and column
  LoadedModule(std::string_view ptx, std::shared_ptr<GlobalMemory> memory);

  [[nodiscard]] const PtxModule& module() const { return module_; }
  [[nodiscard]] const SymbolTable& symbols() const { return symbols_; }
  [[nodiscard]] const std::string& text() const { return *module_.text; }
  [[nodiscard]] std::optional<DeviceVariable> find_variable(std::string_view name) const;

 private:
  /// Frees the variables, also those of a module that turns out to be wrong.
  class Storage {
   public:
    explicit Storage(std::shared_ptr<GlobalMemory> memory) : memory_(std::move(memory)) {}
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    ~Storage();
    [[nodiscard]] Allocation& alloc(const Variable& variable);
    [[nodiscard]] GlobalMemory& memory() const { return *memory_; }

   private:
    std::shared_ptr<GlobalMemory> memory_;
    std::vector<DevicePointer> made_;
  };
  void place_variables();
  void place_pointers(const Variable& variable);
  [[nodiscard]] bool declares(const std::string& name) const;

  PtxModule module_;
  Storage storage_;
  SymbolTable symbols_;
};

}  // namespace jute::emulator
