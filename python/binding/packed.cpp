// Packs operands that stay, and puts them into calls.
#include "packed.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

constexpr Index kNoElements = 0;

/// On the emulator arrays are copied into its memory first.
void pack_emulated(Packed& made, const Array& form, Backend& backend) {
  Twins twins(backend);
  GemmArgs args;
  (made.role == TensorRole::a ? args.a : args.b) = twins.in(form);
  for (const BoundArray& one : made.numbers) address_in(args, one.role) = twins.in(one.array);
  made.prepared->gemm.pack(made.role, made.address, args);
  backend.synchronize();
}

void check(const Packed& packed, TensorRole role, const std::shared_ptr<Prepared>& prepared) {
  const char* const name = role == TensorRole::a ? "a" : "b";
  if (packed.role != role)
    refuse(ErrorCode::not_compatible, name, role == TensorRole::a ? "a packed b" : "a packed a",
           std::string("it must be packed as ") + name);
  if (packed.prepared != prepared)
    refuse(ErrorCode::not_compatible, name, "packed by another product",
           "it must be packed by the product that it is given to");
}

}  // namespace

Packed packed(TensorRole role, nb::handle array, const Array& form,
              const std::shared_ptr<Prepared>& prepared, const nb::object& stream,
              std::vector<BoundArray> numbers) {
  Packed made{.role = role, .form = form, .numbers = std::move(numbers), .prepared = prepared};
  made.like = new_array(array, form, form.type, {kNoElements});
  const Index bytes = prepared->gemm.packed_bytes(role);
  if (bytes > 0 && form.library == Library::torch && form.device != kHost) {
    const Array as_bytes{.library = form.library, .type = DType::f64};
    made.memory = new_array(array, as_bytes, DType::u8, {bytes});
    made.address = array_of(made.memory, "packed").address;
  } else if (bytes > 0) {
    const nb::gil_scoped_release release;  // a launch may hold the emulator, and want the GIL
    Buffer buffer(prepared->runtime->context().backend(), bytes);
    made.address = buffer.pointer();
    made.buffer = std::move(buffer);
  }
  if (form.device == kHost) {
    Backend& backend = prepared->runtime->context().backend();
    const nb::gil_scoped_release release;
    pack_emulated(made, form, backend);
    return made;
  }
  GemmArgs args;
  (role == TensorRole::a ? args.a : args.b) = form.address;
  for (const BoundArray& one : made.numbers) address_in(args, one.role) = one.array.address;
  args.stream.handle = stream_of(stream, form);
  prepared->gemm.pack(role, made.address, args);
  return made;
}

void put_packed(Operands& operands, const std::shared_ptr<Prepared>& prepared) {
  const Packed* packed = nullptr;
  if (nb::try_cast(operands.a, packed)) {
    check(*packed, TensorRole::a, prepared);
    operands.a = packed->like, operands.array_a = &packed->form;
    operands.packed_a = packed->address, operands.side_a.packed = packed;
  }
  if (nb::try_cast(operands.b, packed)) {
    check(*packed, TensorRole::b, prepared);
    operands.b = packed->like, operands.array_b = &packed->form;
    operands.packed_b = packed->address, operands.side_b.packed = packed;
  }
}

void add_packed(nb::module_& core) {
  nb::class_<Packed>(core, "Packed",
                     "An operand that stays, as a product's kernels read it: see Product.pack")
      .def_prop_ro("operand",
                   [](const Packed& self) { return self.role == TensorRole::a ? "a" : "b"; })
      .def_prop_ro("bytes",
                   [](const Packed& self) { return self.prepared->gemm.packed_bytes(self.role); });
}

}  // namespace jute::python
