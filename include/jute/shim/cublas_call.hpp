#pragma once
// A call of cuBLAS or cuBLASLt as numbers, and the problem that it says.
#include <jute/base/export.hpp>
#include <jute/gemm/gemm_args.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/problem.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// A matrix in cuBLAS's numbers.
struct CublasMatrix {
  Index type = 0;       ///< cudaDataType
  Index order = 0;      ///< cublasLtOrder_t: 0 by columns, 1 by rows
  Index ld = 0;         ///< elements
  Index stride = 0;     ///< of a batch: elements between two matrices
  Index alignment = 0;  ///< of its address: bytes, up to 16
  bool operator==(const CublasMatrix&) const = default;
};

/// All that decides which kernel serves a call: no addresses, no values but 0 and 1. Every member
/// is an Index, so that calls are compared and hashed as rows of numbers; one that says nothing is
/// 0.
struct CublasCall {
  Index library = 13;  ///< of the SONAME
  Index lt = 0;        ///< cublasLtMatmul, or a gemm
  Index op_a = 0, op_b = 0;
  Index m = 0, n = 0, k = 0, batch = 1;
  CublasMatrix a{}, b{}, c{}, d{};  ///< C where it is read
  Index compute = 0, scale = 0;     ///< cublasComputeType_t, and the cudaDataType of the factors
  Index alpha = 1, beta = 0;        ///< 2: another number
  Index epilogue = 1;               ///< cublasLtEpilogue_t
  Index bias_type = 0, bias_stride = 0, bias_alignment = 0;
  Index aux_type = 0, aux_ld = 0, aux_stride = 0, aux_alignment = 0;
  Index scale_a = 0, scale_b = 0, scale_d = 0;  ///< one more than cublasLtMatmulMatrixScale_t
  Index amax_d = 0;                             ///< is there one?
  Index fast_accum = 0;
  Index workspace = 0;  ///< bytes that the caller gives
  bool operator==(const CublasCall&) const = default;
};

/// `m=64 n=8 k=64 a.type=14 …`: what differs from a call that says nothing.
[[nodiscard]] std::string to_line(const CublasCall& call);
/// Reads it.   throws  syntax; unknown_name
[[nodiscard]] CublasCall parse_cublas_call(std::string_view line);

/// The extent of a call that is the problem's M: its rows where D lies by rows, else its columns.
[[nodiscard]] Index& rows_in(CublasCall& call);

/// Where a call has its operands.
struct CublasAddresses {
  DevicePointer a = 0, b = 0, c = 0, d = 0, bias = 0, aux = 0;
  DevicePointer scale_a = 0, scale_b = 0, scale_d = 0, amax_d = 0, workspace = 0;
  double alpha = 1, beta = 0;
  Stream stream{};
};

/// An input or an output of the product's epilogue, by its place among them.
struct CublasOperand {
  DevicePointer CublasAddresses::*address = nullptr;
  bool is_output = false;
  std::size_t place = 0;
};

/// The product that a call asks for. One whose D lies by columns is read as its transpose, by rows:
/// cuBLAS's B is then A.
struct CublasProduct {
  Problem problem;  ///< completed
  Config config;
  bool is_swapped = false;
  std::vector<CublasOperand> operands{};
};
/// `range` is of calls that differ from this one in M alone.
///   throws  unsupported, illegal_problem and what else completed() throws: jute has none like it
[[nodiscard]] CublasProduct product_of(const CublasCall& call,
                                       const std::optional<MRange>& range = {});

/// The arguments of a run of the product.
[[nodiscard]] GemmArgs run_of(const CublasProduct& product, const CublasAddresses& addresses);
/// The same backwards: where a call finds what a run would.
[[nodiscard]] CublasAddresses addresses_of(const CublasProduct& product, const GemmArgs& run);

}  // namespace jute
