// Brings operands to a back end, and results back.
#include "product/device_data.hpp"

#include <jute/gemm/reference.hpp>
#include <jute/host/operands.hpp>

namespace jute::command {
namespace {

Buffer uploaded(Backend& backend, const std::vector<std::byte>& bytes) {
  Buffer buffer(backend, static_cast<Index>(bytes.size()));
  if (!bytes.empty()) backend.copy_in(buffer.pointer(), bytes);
  return buffer;
}

std::vector<std::byte> downloaded(Backend& backend, const Buffer& buffer) {
  std::vector<std::byte> bytes(static_cast<size_t>(buffer.size_bytes()));
  if (!bytes.empty()) backend.copy_out(bytes, buffer.pointer());
  return bytes;
}

}  // namespace

DeviceData upload(Backend& backend, const GemmData& data, Index workspace_bytes, BringC c) {
  const OperandBytes bytes = operand_bytes(data.problem);
  const Problem& problem = data.problem;
  DeviceData device;
  device.workspace = Buffer(backend, workspace_bytes);
  if (problem.epilogue) device.outputs = static_cast<int>(problem.epilogue->outputs.size());
  for (const TensorRole role : kAllTensors) {
    const std::vector<std::byte>& content = data.memory[role];
    if (role == TensorRole::c && c == BringC::no) continue;
    device.tensors[role] = is_written(role) && content.empty() ? Buffer(backend, bytes[role])
                                                               : uploaded(backend, content);
  }
  const auto put = [&](TensorRole role, const GroupList& list) {
    device.tensors[role] = uploaded(backend, bytes_of(list.values, list.index));
  };
  if (problem.groups) put(TensorRole::ends, data.groups);
  put(TensorRole::rows_a, data.rows.a);
  put(TensorRole::rows_d, data.rows.d);
  const Index elements = problem.batch * problem.m * problem.n;
  const Index bytes_of_d = bytes[TensorRole::d];
  const bool has_gaps =
      problem.groups || problem.d.rows || elements * width_bytes(problem.d.type) != bytes_of_d;
  if (data.memory[TensorRole::d].empty() && has_gaps)
    backend.fill(device.at(TensorRole::d), 0, bytes_of_d);
  return device;
}

HostResult downloaded(Backend& backend, DeviceData& device) {
  HostResult result{downloaded(backend, device.tensors[TensorRole::d])};
  for (int i = 0; i < device.outputs; ++i)
    result.outputs.push_back(downloaded(backend, device.tensors[output_role(i)]));
  return result;
}

}  // namespace jute::command
