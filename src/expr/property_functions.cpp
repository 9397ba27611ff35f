// Promises of layouts, the layouts that are linear over bits, and addresses.
#include <jute/layout/address.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/equivalent.hpp>
#include <jute/layout/properties.hpp>
#include <jute/layout/xor_form.hpp>

#include "expr/on_domain.hpp"

namespace jute::expr {

namespace {

Value equivalent_of(const Arguments& args) {
  if (args.is<Layout>(0) && args.is<Layout>(1)) return equivalent(args.layout(0), args.layout(1));
  return equivalent(args.composed(0), args.composed(1));
}
Value is_injective_of(const Arguments& args) { return is_injective(args.composed(0)); }
Value is_bijective_of(const Arguments& args) { return is_bijective(args.layout(0)); }
Value contiguous_run_of(const Arguments& args) { return contiguous_run(args.layout(0)); }

Value max_vector_elems_of(const Arguments& args) {
  VectorAccess access;
  access.element_bits = args.mode(1);
  if (args.count() > 2) access.base_alignment_bytes = args.integer(2);
  return max_vector_elems(args.composed(0), access);
}

Value bank_conflicts_of(const Arguments& args) {
  const BankConflicts counted = bank_conflicts(args.composed(0), args.mode(1), args.mode(2));
  return IntTuple{counted.cycles, counted.ideal_cycles};
}

Value xor_columns_of(const Arguments& args) {
  const ComposedLayout layout = args.composed(0);
  const std::optional<XorForm> form = xor_form(layout);
  if (!form) {
    layout::refuse(
        ErrorCode::not_compatible, args.operand(0), to_string(layout),
        "the layout must be linear over bits: extents are powers of two and the offsets of "
        "its digits share no bit");
  }
  TupleBuilder columns;
  columns.open();
  for (const Index column : form->columns) columns.integer(column);
  columns.close();
  return ValueList{{form->constant, columns.take()}};
}

Value convert_of(const Arguments& args) {
  const std::optional<ComposedLayout> layout =
      to_layout(conversion(args.composed(0), args.composed(1)));
  if (!layout) {
    layout::refuse(ErrorCode::not_compatible, args.operand(1), to_string(args[1]),
                   "the map between the offsets must be a layout behind one swizzle");
  }
  return *layout;
}

Value address_of_of(const Arguments& args) {
  const Address address = address_of(args.composed(0), args.layout(1));
  if (address.form != AddressForm::folded)
    return ValueList{{Value(address.thread), Value(address.value)}};
  return ValueList{{Value(address.thread), Value(address.value), Value(address.flip)}};
}

constexpr Function kPropertyFunctions[] = {
    {"equivalent", 2, 2, equivalent_of, "equivalent(A,B)",
     "Are both the same function of one-dimensional coordinates?"},
    {"is_injective", 1, 1, is_injective_of, "is_injective(L)",
     "Do no two coordinates share an offset?"},
    {"is_bijective", 1, 1, is_bijective_of, "is_bijective(L)",
     "Is every offset below the cosize reached exactly once?"},
    {"contiguous_run", 1, 1, contiguous_run_of, "contiguous_run(L)",
     "How many first coordinates have consecutive offsets."},
    {"max_vector_elems", 2, 3, max_vector_elems_of, "max_vector_elems(L,bits[,alignment_bytes])",
     "Elements that one access of at most 16 bytes can move."},
    {"bank_conflicts", 3, 3, bank_conflicts_of, "bank_conflicts(lanes,bits,access_bytes)",
     "Shared-memory cycles of a warp's access, and those without a conflict."},
    {"xor_columns", 1, 1, xor_columns_of, "xor_columns(L)",
     "Constant and images of the coordinate bits of a layout that is linear over bits."},
    {"convert", 2, 2, convert_of, "convert(from,to)",
     "The map from offsets of one power-of-two layout to those of another."},
    {"address_of", 2, 2, address_of_of, "address_of(L,tv)",
     "Parts of thread and value, and what values XOR where a swizzle folds."},
};

}  // namespace

std::span<const Function> property_functions() { return kPropertyFunctions; }

}  // namespace jute::expr
