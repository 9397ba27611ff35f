// Addresses of an operand's elements in host memory, and their values.
#include "gemm/host_matrix.hpp"

#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>

#include <cstring>
#include <string>

#include "base/format.hpp"

namespace jute::gemm {

Index span_elems(const Matrix& operand, const MatrixExtents& extents) {
  if (extents.rows == 0 || extents.cols == 0 || extents.batch == 0) return 0;
  if (operand.view) return jute::span_elems(*operand.view);
  const bool row = operand.order == Order::row;
  const Index outer = row ? extents.rows : extents.cols;
  const Index inner = row ? extents.cols : extents.rows;
  const Index matrix = checked_add(checked_mul(outer - 1, operand.ld_elems), inner);
  if (operand.broadcast) return matrix;
  return checked_add(checked_mul(extents.batch - 1, operand.batch_stride_elems), matrix);
}

HostMatrix::HostMatrix(std::string_view what, const Matrix& operand, const MatrixExtents& extents,
                       std::span<const std::byte> memory, Viewing viewing)
    : type_(operand.type),
      element_bits_(width_bits(operand.type)),
      data_(memory.data()),
      batch_stride_(operand.broadcast ? 0 : operand.batch_stride_elems),
      row_stride_(operand.order == Order::row ? operand.ld_elems : 1),
      col_stride_(operand.order == Order::row ? 1 : operand.ld_elems),
      is_turned_(viewing == Viewing::turned) {
  if (operand.view) view_ = modes_of(*operand.view);
  const Index needed = byte_count(operand.type, span_elems(operand, extents));
  if (needed <= static_cast<Index>(memory.size())) return;
  jute::refuse(ErrorCode::out_of_range, std::string(what), base::format("{} bytes", memory.size()),
               base::format("{} must hold the whole operand", what),
               base::format("{} bytes", needed));
}

HostMatrix HostMatrix::of_bits(HostMatrix bytes, Order order) {
  bytes.bits_ = order;
  return bytes;
}

bool HostMatrix::is_outside(Index batch, Index row, Index col) const {
  return view_ && !(is_turned_ ? view_->element(col, row, batch) : view_->element(row, col, batch));
}

double HostMatrix::at(Index batch, Index row, Index col) const {
  constexpr int kBitsOfByte = 8;
  if (bits_) {
    Index& inner = bits_ == Order::row ? col : row;
    const Index bit = inner % kBitsOfByte;
    inner /= kBitsOfByte;
    const auto byte =
        static_cast<unsigned>(data_[batch * batch_stride_ + row * row_stride_ + col * col_stride_]);
    return byte >> bit & 1U;
  }
  Index element = batch * batch_stride_ + row * row_stride_ + col * col_stride_;
  if (view_) {
    const auto viewed =
        is_turned_ ? view_->element(col, row, batch) : view_->element(row, col, batch);
    if (!viewed) return 0;
    element = *viewed;
  }
  if (element_bits_ < kBitsOfByte) {
    const Index bit = element * element_bits_;
    return decode(type_, static_cast<unsigned>(data_[bit / kBitsOfByte]) >> bit % kBitsOfByte);
  }
  const std::byte* const address = data_ + element * (element_bits_ / kBitsOfByte);
  if (type_ == DType::f32) {
    float value = 0;
    std::memcpy(&value, address, sizeof value);
    return value;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, address, static_cast<size_t>(element_bits_ / kBitsOfByte));
  return decode(type_, bits);
}

}  // namespace jute::gemm
