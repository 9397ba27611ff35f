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
  const auto put = [&](TensorRole role, const std::vector<std::byte>& content) {
    device[role] = uploaded(backend, content);
  };
  put(TensorRole::a, data.a);
  put(TensorRole::b, data.b);
  if (c == BringC::yes) put(TensorRole::c, data.c);
  device[TensorRole::d] = data.d.empty() ? Buffer(backend, bytes.d) : uploaded(backend, data.d);
  device.workspace = Buffer(backend, workspace_bytes);
  for (size_t i = 0; i < data.inputs.size(); ++i)
    put(input_role(static_cast<int>(i)), data.inputs[i]);
  put(TensorRole::scale_a, data.scales.scale_a);
  put(TensorRole::scale_b, data.scales.scale_b);
  put(TensorRole::zero_a, data.scales.zero_a);
  put(TensorRole::zero_b, data.scales.zero_b);
  for (const Index output : bytes.outputs)
    device[output_role(device.outputs++)] = Buffer(backend, output);
  if (problem.groups) put(TensorRole::ends, bytes_of(data.groups.values, data.groups.index));
  put(TensorRole::rows_a, bytes_of(data.rows.a.values, data.rows.a.index));
  put(TensorRole::rows_d, bytes_of(data.rows.d.values, data.rows.d.index));
  const Index elements = problem.batch * problem.m * problem.n;
  const bool has_gaps =
      problem.groups || problem.d.rows || elements * width_bytes(problem.d.type) != bytes.d;
  if (data.d.empty() && has_gaps) backend.fill(device.at(TensorRole::d), 0, bytes.d);
  return device;
}

HostResult downloaded(Backend& backend, DeviceData& device) {
  HostResult result{downloaded(backend, device[TensorRole::d])};
  for (int i = 0; i < device.outputs; ++i)
    result.outputs.push_back(downloaded(backend, device[output_role(i)]));
  return result;
}

}  // namespace jute::command
