// Brings operands to a back end, and results back.
#include "product/device_data.hpp"

#include <jute/gemm/reference.hpp>

#include <array>
#include <cstring>

namespace jute::command {
namespace {

Buffer uploaded(Backend& backend, const std::vector<std::byte>& bytes) {
  Buffer buffer(backend, static_cast<Index>(bytes.size()));
  if (!bytes.empty()) backend.copy_in(buffer.pointer(), bytes);
  return buffer;
}

std::vector<std::byte> bytes_of(const GroupList& list) {
  const size_t width = list.index == GroupIndex::i64 ? sizeof(std::int64_t) : sizeof(std::int32_t);
  std::vector<std::byte> bytes;
  for (const Index value : list.values) {
    std::array<std::byte, sizeof(std::int64_t)> word{};
    std::memcpy(word.data(), &value, sizeof value);  // little endian: the low half comes first
    bytes.insert(bytes.end(), word.begin(), word.begin() + static_cast<std::ptrdiff_t>(width));
  }
  return bytes;
}

std::vector<std::byte> bytes_of(Backend& backend, const Buffer& buffer) {
  std::vector<std::byte> bytes(static_cast<size_t>(buffer.size_bytes()));
  if (!bytes.empty()) backend.copy_out(bytes, buffer.pointer());
  return bytes;
}

}  // namespace

DeviceData upload(Backend& backend, const GemmData& data, Index workspace_bytes, BringC c) {
  const OperandBytes bytes = operand_bytes(data.problem);
  DeviceData device{uploaded(backend, data.a), uploaded(backend, data.b),
                    c == BringC::yes ? uploaded(backend, data.c) : Buffer(),
                    data.d.empty() ? Buffer(backend, bytes.d) : uploaded(backend, data.d),
                    Buffer(backend, workspace_bytes)};
  for (const std::vector<std::byte>& input : data.inputs)
    device.inputs.push_back(uploaded(backend, input));
  device.scale_a = uploaded(backend, data.scales.scale_a);
  device.scale_b = uploaded(backend, data.scales.scale_b);
  device.zero_a = uploaded(backend, data.scales.zero_a);
  device.zero_b = uploaded(backend, data.scales.zero_b);
  for (const Index output : bytes.outputs) device.outputs.emplace_back(backend, output);
  const Problem& problem = data.problem;
  if (problem.groups) device.ends = uploaded(backend, bytes_of(data.groups));
  device.rows_a = uploaded(backend, bytes_of(data.rows.a));
  device.rows_d = uploaded(backend, bytes_of(data.rows.d));
  const Index elements = problem.batch * problem.m * problem.n;
  const bool has_gaps =
      problem.groups || problem.d.rows || elements * width_bytes(problem.d.type) != bytes.d;
  if (data.d.empty() && has_gaps) backend.fill(device.d.pointer(), 0, bytes.d);
  return device;
}

HostResult downloaded(Backend& backend, const DeviceData& device) {
  HostResult result{bytes_of(backend, device.d)};
  for (const Buffer& output : device.outputs) result.outputs.push_back(bytes_of(backend, output));
  return result;
}

}  // namespace jute::command
