#pragma once
// One product of arrays: from Python's operands to a problem, and to a run of it.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <jute/gemm/gemm_args.hpp>

#include "matrix.hpp"

namespace jute::python {

/// How a call's operands are read: as numpy.matmul's, with lists of groups, or as elements of two
/// types with numbers of their blocks.
enum class Reading : std::uint8_t { plain, groups, scaled };

/// The request for a product, apart from its arrays.
struct Wish {
  Reading reading = Reading::plain;
  std::string epilogue{};                  ///< empty: alpha*acc + beta*c
  GateColumns gate = GateColumns::halves;  ///< of an epilogue that names gate
  Precision precision = Precision::f32;
  std::string config{};
  bool batch_invariant = false;  ///< one order of sums for any number of rows
  bool fast_accum = false;       ///< 8-bit floats: sums stay with the tensor cores, promote=0
  int race = 0;                  ///< candidates that race before one is prepared; 0: none
  std::optional<DType> dtype{}, out_dtype{};
  std::optional<MRange> m_range{};
  ViewNumbers numbers = ViewNumbers::literal;  ///< of extents and strides of A, B, C and D
  std::shared_ptr<const Problem> like{};       ///< what a range was prepared for, of other rows
};

/// Lists of groups, of which a call has one.
struct Lists {
  nb::object offs = nb::none(), counts = nb::none(), row_groups = nb::none();
  [[nodiscard]] bool are_said() const {
    return !offs.is_none() || !counts.is_none() || !row_groups.is_none();
  }
};

struct Packed;

/// A call's words for an operand that counts as (q - zero) * scale, besides its array.
struct Side {
  const char *name, *scale_name, *zero_name;
  TensorRole tensor;
  nb::object scale = nb::none(), zero = nb::none();  ///< arrays; a zero point may be a number
  std::string block{};
  std::optional<DType> type{};
  const Packed* packed = nullptr;  ///< in place of array, scale and zero
};

/// The arguments of one call.
struct Operands {
  nb::handle a{}, b{};
  nb::object out = nb::none(), stream = nb::none();
  ByTensor<nb::object> given{};  ///< c and tables of rows; null or None: not given
  nb::dict inputs{}, outputs{};  ///< the epilogue's, by name
  double alpha = 1, beta = 1;
  RowStore store = RowStore::put;  ///< by rows_d
  Lists lists{};
  Index expected = 0;  ///< of a usual group
  Side side_a{"a", "scale_a", "zero_a", TensorRole::a},
      side_b{"b", "scale_b", "zero_b", TensorRole::b};
  std::optional<DType> stage_as{};
  const Array *array_a = nullptr, *array_b = nullptr;  ///< a and b, where they have been read
  DevicePointer packed_a = 0, packed_b = 0;            ///< in place of theirs

  [[nodiscard]] bool has(TensorRole role) const {
    return given[role].is_valid() && !given[role].is_none();
  }
  [[nodiscard]] nb::object said(TensorRole role) const {
    return has(role) ? given[role] : nb::none();
  }
};

/// An array of the epilogue's, or a number in its place.
struct NamedArray {
  nb::object object;
  Array array;
  double number = 0;
  bool is_number = false;
  bool is_made = false;  ///< an output that was not given
};

/// Scales or zero points of an operand's blocks, or a table of rows.
struct BoundArray {
  TensorRole role = TensorRole::scale_a;
  const char* name = "scale_a";
  Array array;
};

/// Everything that one run needs, and the problem that it is a run of.
struct Bound {
  Array a, b, c, d;
  Array list;  ///< of groups, where the problem has any
  const char* list_name = "offs";
  std::vector<BoundArray> arrays;  ///< of blocks and tables, where the problem has them
  bool has_c = false;
  nb::object out;  ///< D
  Problem problem;
  GemmArgs args;
  std::vector<NamedArray> inputs, outputs;  ///< by their places; of d nothing
  std::string key;                          ///< equal where one prepared product serves both
  std::string kind;  ///< likewise, whatever a run says: extents and strides, or those of its rows

  ///   needs   one of `arrays`
  [[nodiscard]] const Array& array_of(TensorRole role) const {
    return std::ranges::find(arrays, role, &BoundArray::role)->array;
  }
};

///   throws  wrong_type, not_compatible (shapes that do not fit), unsupported, illegal_problem, …
[[nodiscard]] Bound bind(const Wish& wish, const Operands& operands);

/// The stream that a call names, or where it names none the array's current one.
[[nodiscard]] std::uint64_t stream_of(const nb::object& stream, const Array& array);
/// Columns of D: those of b, or where the epilogue names gate half as many.
///   throws  not_compatible: an odd number has no halves
[[nodiscard]] Index columns_of_d(const Wish& wish, const Array& b, Index columns);
/// Types and alignments of what is bound, for what knows how arrays lie by its own notation.
[[nodiscard]] Problem like_problem_of(const Wish& wish, const Bound& bound);
/// c, where the call has one, of the result's shape.
///   throws  not_compatible: it has another one
void read_c(Bound& bound, const Wish& wish, const Operands& operands, const Extents& shape);
///   throws  not_compatible: it is another
void check_shape(const char* name, const Array& array, const Extents& wanted);
/// Where the result goes: `out` as it was given, else made where a is. A tensor of torch's that is
/// made has in memory these of its axes, the last one fastest; none: in their order.
///   throws  not_compatible: it has another shape; unsupported: it is read-only
[[nodiscard]] Array output_array(const Wish& wish, const Operands& operands, const Array& first,
                                 const Extents& shape, nb::object& out, const Extents& axes = {});
/// Scale factors, epilogue, key and addresses of what has its arrays and its problem's matrices.
///   throws  not_compatible: arrays of two devices; what add_epilogue_arrays throws
void finish(Bound& bound, const Wish& wish, const Operands& operands);

/// The epilogue's inputs and outputs, into problem and arguments.
///   throws  unknown_name, wrong_arity (one is missing), not_compatible, unsupported
void add_epilogue_arrays(Bound& bound, const Operands& operands);

/// Two texts are one expression; parsed once.
[[nodiscard]] const EpilogueExpression& expression_of(const std::string& text);

void add_to(std::string& key, const auto& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}
/// All of an array that a problem can depend on.
void add_array(std::string& key, const Array& array);

}  // namespace jute::python
