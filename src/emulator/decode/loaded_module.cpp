// Gives a module's variables and functions their addresses, and variables their initial bytes.
#include "emulator/decode/loaded_module.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace jute::emulator {

LoadedModule::Storage::~Storage() {
  for (const DevicePointer variable : made_) memory_->free(variable);
}
Allocation& LoadedModule::Storage::alloc(const Variable& variable) {
  Allocation& place = memory_->alloc(variable.bytes, static_cast<std::uint64_t>(variable.align));
  made_.push_back(place.begin);
  std::memset(place.data.get(), 0, static_cast<size_t>(variable.bytes));
  if (!variable.initial.empty())
    std::memcpy(place.data.get(), variable.initial.data(), variable.initial.size());
  memory_->mark_defined(place, place.begin, variable.bytes);
  place.is_constant = variable.space == Space::constant;
  return place;
}

LoadedModule::LoadedModule(std::string_view ptx, std::shared_ptr<GlobalMemory> memory)
    : module_(parse_ptx(ptx)), storage_(std::move(memory)) {
  place_variables();
  for (size_t i = 0; i < module_.functions.size(); ++i)
    if (module_.functions[i].has_body)
      symbols_[module_.functions[i].name] = {Space::global, kCodeBegin + i * kCodeStep, nullptr};
  for (const auto& [alias, function] : module_.aliases) symbols_[alias] = symbols_.at(function);
  for (const Variable& variable : module_.variables) place_pointers(variable);
}

void LoadedModule::place_variables() {
  for (const Variable& variable : module_.variables) {
    if (variable.space == Space::shared) {
      symbols_[variable.name] = {Space::shared, 0, &variable};
      continue;
    }
    if (variable.space != Space::global && variable.space != Space::constant)
      refuse_ptx(variable.position, variable.name,
                 "a module variable must be .global, .const or .shared");
    if (variable.is_extern) continue;  // a use is refused
    symbols_[variable.name] = {variable.space, storage_.alloc(variable).begin, nullptr};
  }
}

bool LoadedModule::declares(const std::string& name) const {
  return module_.find_function(name) != nullptr ||
         std::ranges::find(module_.variables, name, &Variable::name) != module_.variables.end();
}

void LoadedModule::place_pointers(const Variable& variable) {
  for (const Relocation& relocation : variable.relocations) {
    if (!declares(relocation.symbol))
      refuse_ptx(variable.position, relocation.symbol,
                 "initial data must point at a variable or function of the module");
    const auto target = symbols_.find(relocation.symbol);
    const auto own = symbols_.find(variable.name);
    // The target is another module's: a pure virtual function, say. The pointer stays null.
    if (target == symbols_.end() || own == symbols_.end()) continue;
    const std::uint64_t address =
        ((target->second.address + static_cast<std::uint64_t>(relocation.addend)) &
         relocation.mask) >>
        std::countr_zero(relocation.mask);
    Allocation* const place = storage_.memory().find(own->second.address);
    if (place != nullptr && relocation.offset + relocation.bytes <= place->bytes)
      std::memcpy(place->data.get() + relocation.offset, &address,
                  static_cast<size_t>(relocation.bytes));
  }
}

std::optional<DeviceVariable> LoadedModule::find_variable(std::string_view name) const {
  const auto variable = std::ranges::find(module_.variables, name, &Variable::name);
  const auto symbol = symbols_.find(name);
  const bool has_storage = variable != module_.variables.end() && symbol != symbols_.end() &&
                           variable->space != Space::shared;
  if (!has_storage) return std::nullopt;
  return DeviceVariable{symbol->second.address, variable->bytes};
}

}  // namespace jute::emulator
