// Remembers where arrays lay, and runs again without asking the planner's questions anew.
#include "repeated.hpp"

#include "calls.hpp"

namespace jute::python {

namespace {

/// May one stand in the other's place, whatever its address?
bool lies_as(const Array& one, const Array& other) {
  return one.library == other.library && one.type == other.type && one.device == other.device &&
         std::ranges::equal(one.extents(), other.extents()) &&
         std::ranges::equal(one.strides(), other.strides()) &&
         promised_alignment(one) == promised_alignment(other);
}

}  // namespace

bool may_repeat(const Wish& wish) {
  return wish.epilogue.empty() && !wish.dtype && !wish.out_dtype;
}

std::shared_ptr<const Repeated> to_repeat(const Bound& bound, const Operands& operands,
                                          std::shared_ptr<Prepared> prepared) {
  if (bound.a.device == kHost || !PlainCall::is_one(operands)) return nullptr;
  return std::make_shared<const Repeated>(Repeated{
      bound.a, bound.b, bound.d, bound.args, operands.alpha, operands.beta, std::move(prepared)});
}

PlainCall::PlainCall(Operands& given)
    : a(array_of(given.a, "a")), b(array_of(given.b, "b")), operands(given) {
  given.array_a = &a, given.array_b = &b;
}

namespace {

bool is_none_or_empty(const nb::object& object) { return !object.is_valid() || object.is_none(); }

}  // namespace

bool PlainCall::is_one(const Operands& operands) {
  return operands.c.is_none() && operands.stream.is_none() && operands.inputs.size() == 0 &&
         operands.outputs.size() == 0 && operands.store == RowStore::put &&
         is_none_or_empty(operands.rows_a) && is_none_or_empty(operands.rows_d);
}

nb::object run_again(const Repeated& last, const PlainCall& call) {
  const Operands& operands = call.operands;
  if (operands.alpha != last.alpha || operands.beta != last.beta || !lies_as(call.a, last.a) ||
      !lies_as(call.b, last.b))
    return {};
  nb::object out = operands.out;
  if (out.is_none()) out = new_array(operands.a, call.a, last.d.type, Extents(last.d.extents()));
  const Array d = writable_array_of(out, "out");
  if (!lies_as(d, last.d)) return {};
  if (needs_gradient(call.a, operands.a) || needs_gradient(call.b, operands.b)) refuse_gradients();
  GemmArgs args = last.args;
  args.a = call.a.address, args.b = call.b.address, args.c = args.d = d.address;
  args.stream.handle = current_stream(call.a);
  launch(args, call.a, *last.prepared, operands.a);
  return out;
}

std::size_t RepeatedCalls::place_of(const Array& a, const Array& b) {
  std::size_t place = static_cast<std::size_t>(a.type);
  for (const auto numbers : {a.extents(), a.strides(), b.extents(), b.strides()})
    for (const Index number : numbers)
      place = place * 1099511628211U + static_cast<std::size_t>(number);
  return (place ^ place >> 32) % kMost;
}

nb::object RepeatedCalls::run_again(const PlainCall& call) const {
  const std::shared_ptr<const Repeated> last = calls_[place_of(call.a, call.b)];
  return last ? python::run_again(*last, call) : nb::object();
}

void RepeatedCalls::remember(std::shared_ptr<const Repeated> call) {
  if (!call) return;
  std::shared_ptr<const Repeated>& place = calls_[place_of(call->a, call->b)];
  place = std::move(call);
}

}  // namespace jute::python
