#pragma once
// Texture and surface objects of a back end, and the instructions that use them.
#include "emulator/decode/instruction.hpp"

#include <jute/emulator/texture.hpp>

#include <cstdint>
#include <vector>

namespace jute::emulator {

struct TextureObject {
  TextureSpec spec;
  DevicePointer base = 0;
};

/// Every object that was made. A handle is no address, so that neither passes for the other.
class TextureObjects {
 public:
  [[nodiscard]] std::uint64_t add(const TextureObject& object) {
    objects_.push_back(object);
    return kFirstHandle + objects_.size() - 1;
  }
  [[nodiscard]] const TextureObject* find(std::uint64_t handle) const {
    const std::uint64_t index = handle - kFirstHandle;
    return index < objects_.size() ? &objects_[index] : nullptr;
  }

 private:
  static constexpr std::uint64_t kFirstHandle = 0x7E87000000000001ULL;
  std::vector<TextureObject> objects_;
};

// Instruction::extra is an index into Program::textures.
void run_texture_fetch(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_surface_load(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_surface_store(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
/// Instruction::target is the dimension whose extent is asked for.
void run_texture_query(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

}  // namespace jute::emulator
