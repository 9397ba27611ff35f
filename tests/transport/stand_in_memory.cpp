// Memory of stand-ins: emulators', or the host's.
#include <cstring>
#include <utility>

#include "transport/stand_in_gpus.hpp"

namespace jute::test {
namespace {

class EmulatorMemory final : public StandInMemory {
 public:
  explicit EmulatorMemory(std::vector<Backend*> backends) : backends_(std::move(backends)) {}
  void read(int gpu, std::span<std::byte> target, DevicePointer source) override {
    at(gpu).copy_out(target, source);
  }
  void write(int gpu, DevicePointer target, std::span<const std::byte> source) override {
    at(gpu).copy_in(target, source);
  }
  DevicePointer alloc(int gpu, Index bytes) override { return at(gpu).alloc(bytes); }
  void free(int gpu, DevicePointer pointer) override { at(gpu).free(pointer); }

 private:
  Backend& at(int gpu) { return *backends_[static_cast<std::size_t>(gpu)]; }
  std::vector<Backend*> backends_;
};

class HostMemory final : public StandInMemory {
 public:
  void read(int /*gpu*/, std::span<std::byte> target, DevicePointer source) override {
    std::memcpy(target.data(), pointer_of(source), target.size());
  }
  void write(int /*gpu*/, DevicePointer target, std::span<const std::byte> source) override {
    std::memcpy(pointer_of(target), source.data(), source.size());
  }
  DevicePointer alloc(int /*gpu*/, Index bytes) override {
    return static_cast<DevicePointer>(
        reinterpret_cast<std::uintptr_t>(::operator new(static_cast<std::size_t>(bytes))));
  }
  void free(int /*gpu*/, DevicePointer pointer) override { ::operator delete(pointer_of(pointer)); }

 private:
  static void* pointer_of(DevicePointer pointer) {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(pointer));
  }
};

}  // namespace

std::unique_ptr<StandInMemory> memory_of(std::vector<Backend*> backends) {
  return std::make_unique<EmulatorMemory>(std::move(backends));
}
std::unique_ptr<StandInMemory> host_memory() { return std::make_unique<HostMemory>(); }

}  // namespace jute::test
