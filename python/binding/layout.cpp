// Layouts, swizzles and unit vectors as Python classes.
#include <jute/atom/value_type.hpp>
#include <jute/draw/latex.hpp>
#include <jute/draw/picture.hpp>
#include <jute/expr/operation.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/compiled_layout.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/explain.hpp>
#include <jute/layout/modes.hpp>

#include <nanobind/ndarray.h>

#include "convert.hpp"
#include "module.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

AnyLayout made(nb::handle shape, nb::handle stride) {
  if (stride.is_none()) return to_layout(shape);
  return Layout(to_tuple(shape), to_tuple(stride));
}

nb::object offset_at(const AnyLayout& layout, const IntTuple& coordinate) {
  if (layout.is_plain()) return to_python(crd2idx(coordinate, layout.domain()));
  if (const ComposedLayout* composed = layout.if_composed())
    return nb::int_((*composed)(coordinate));
  const ChainedLayout& chain = *layout.if_chained();
  if (std::holds_alternative<Swizzle>(chain.inner)) return nb::int_(chain(coordinate.value()));
  return nb::int_(chain(crd2idx(coordinate, domain(chain).shape())));
}

bool has_wildcard(const IntTuple& tuple) {
  if (tuple.is_leaf()) return tuple.is_wildcard();
  for (const IntTuple& mode : tuple.modes())
    if (has_wildcard(mode)) return true;
  return false;
}

/// `layout(5)`, `layout(1, 2)`, `layout((1, 2), None)`.
nb::object called(const AnyLayout& layout, nb::args coordinates) {
  if (coordinates.size() == 1 && layout.is_plain() && layout.domain().is_plain() &&
      PyLong_Check(coordinates[0].ptr()))
    return nb::int_(layout.domain()(nb::cast<Index>(coordinates[0])));
  const nb::object given =
      coordinates.size() == 1 ? nb::object(coordinates[0]) : nb::object(coordinates);
  const IntTuple coordinate = to_tuple(given);
  if (!has_wildcard(coordinate)) return offset_at(layout, coordinate);
  static const Operation kSlice("slice");
  return to_python(kSlice({coordinate, layout.value()}));
}

/// A mode, or with a slice a layout of some of them.
nb::object mode(const AnyLayout& layout, nb::handle which) {
  static const Operation kSelect("select"), kGet("get");
  const int rank = layout.domain().rank();
  if (PyLong_Check(which.ptr())) {
    const Index given = nb::cast<Index>(which), at = given < 0 ? given + rank : given;
    if (at < 0 || at >= rank)  // what ends a loop over modes
      throw nb::index_error(
          ("no mode " + std::to_string(given) + " of " + to_string(layout.value())).c_str());
    return to_python(kGet({layout.value(), at}));
  }
  std::vector<Value> arguments{layout.value()};
  const nb::object range = nb::module_::import_("builtins").attr("range");
  const nb::object indices = which.attr("indices")(rank);
  for (const nb::handle at : range(*indices)) arguments.emplace_back(nb::cast<Index>(at));
  return to_python(kSelect(std::move(arguments)));
}

nb::object by_operation(const char* name, const AnyLayout& layout, nb::handle other) {
  return to_python(Operation(name)({layout.value(), to_value(other)}));
}

/// Every offset, as an array whose axes are the modes.
nb::object offsets(const AnyLayout& layout) {
  const ComposedLayout composed = layout.composed();
  auto* table = new std::vector<Index>(compile(composed).table());
  const nb::capsule owner(
      table, [](void* held) noexcept { delete static_cast<std::vector<Index>*>(held); });
  std::vector<std::size_t> extents;
  std::vector<std::int64_t> strides;
  Index stride = 1;
  const Layout& domain = composed.layout();
  for (int i = 0; i < domain.rank(); ++i) {
    extents.push_back(static_cast<std::size_t>(size(domain[i])));
    strides.push_back(stride);
    stride *= size(domain[i]);
  }
  return nb::cast(nb::ndarray<nb::numpy, Index>(table->data(), extents.size(), extents.data(),
                                                owner, strides.data()));
}

Picture drawn(const AnyLayout& layout, std::optional<std::string> banks,
              std::optional<std::pair<int, int>> tile) {
  if (banks) return bank_picture(layout.composed(), parse_value_type(*banks).bits);
  if (!tile) return layout_picture(layout.composed());
  return tv_picture(layout.domain(), tile->first, tile->second);
}

Explanation explained(const AnyLayout& layout, const std::string& dtype, int threads) {
  return explain(layout.composed(), {parse_value_type(dtype).bits, threads});
}

Swizzle swizzle_of(const AnyLayout& layout) {
  const ComposedLayout* composed = layout.if_composed();
  return composed != nullptr ? composed->swizzle() : Swizzle();
}

Index offset_of(const AnyLayout& layout) {
  if (const ComposedLayout* composed = layout.if_composed()) return composed->offset();
  const ChainedLayout* chain = layout.if_chained();
  return chain != nullptr ? chain->offset : 0;
}

void add_basis(nb::module_& core) {
  nb::class_<Basis> type(core, "Basis",
                         "An integer on a unit vector, `2@0@1`: 2 times mode 0 of mode 1");
  type.def(
          "__init__",
          [](Basis* self, Index value, const std::vector<int>& path) {
            new (self) Basis{IntTuple::basis(value, path)};
          },
          "value"_a, "path"_a, "`path` as it is written: 2@0@1 is Basis(2, [0, 1])")
      .def_prop_ro("value", [](const Basis& basis) { return basis.leaf.value(); });
  const auto text = [](const Basis& basis) { return to_string(basis.leaf); };
  add_value(type, text, text);
}

void add_swizzle(nb::module_& core) {
  nb::class_<Swizzle> type(
      core, "Swizzle", "Sw<bits,base,shift>: x -> x ^ ((x & mask) >> shift), counting elements");
  type.def(nb::init<int, int, int>(), "bits"_a, "base"_a, "shift"_a)
      .def(
          "__init__", [](Swizzle* self, const std::string& text) { new (self) Swizzle(text); },
          "text"_a)
      .def_prop_ro("bits", &Swizzle::bits)
      .def_prop_ro("base", &Swizzle::base)
      .def_prop_ro("shift", &Swizzle::shift)
      .def("__call__", [](const Swizzle& swizzle, Index offset) { return swizzle(offset); })
      .def(
          "__matmul__",
          [](const Swizzle& swizzle, nb::handle layout) {
            static const Operation kComposition("composition");
            return to_python(kComposition({swizzle, to_value(layout)}));
          },
          nb::sig("def __matmul__(self, layout: LayoutLike, /) -> Layout"),
          "composition: the layout behind this swizzle");
  add_value(
      type, [](const Swizzle& swizzle) { return to_string(swizzle); },
      [](const Swizzle& swizzle) { return "jute.Swizzle('" + to_string(swizzle) + "')"; });
}

void add_explanation(nb::module_& core) {
  nb::class_<Explanation>(core, "Explanation", "What a layout does, as facts and in words")
      .def_ro("size", &Explanation::size)
      .def_ro("cosize", &Explanation::cosize)
      .def_ro("injective", &Explanation::injective)
      .def_ro("gaps", &Explanation::gaps)
      .def_ro("inverse", &Explanation::inverse)
      .def_ro("vector_elems", &Explanation::vector_elems)
      .def_ro("words", &Explanation::words)
      .def("__str__",
           [](const Explanation& facts) {
             std::string text = facts.layout;
             for (const std::string& sentence : facts.words) text += '\n' + sentence;
             return text;
           })
      .def("__repr__", [](nb::handle facts) { return nb::str(facts); });
}

void add_algebra(nb::class_<AnyLayout>& layout) {
  const auto binary = [&](const char* method, const char* operation, const char* doc) {
    const std::string sig = "def " + std::string(method) + "(self, other: TilerLike) -> Layout";
    layout.def(
        method,
        [operation](const AnyLayout& self, nb::handle other) {
          return by_operation(operation, self, other);
        },
        "other"_a, nb::sig(sig.c_str()), doc);
  };
  binary("__matmul__", "composition", "composition: i -> self(other(i))");
  binary("__truediv__", "logical_divide", "logical_divide: (tile, rest)");
  binary("__mul__", "logical_product", "logical_product: (block, repetition)");
  binary("compose", "composition", "i -> self(other(i))");
  binary("divide", "logical_divide", "(tile, rest); by mode for a tuple of tilers");
  binary("product", "logical_product", "(block, repetition)");
}

void add_looks(nb::class_<AnyLayout>& layout) {
  layout
      .def("draw", drawn, "banks"_a = nb::none(), "tile"_a = nb::none(),
           "A picture. With `banks`, an element type, of shared memory: the bank of every element. "
           "With `tile`, (rows, columns), of a (thread,value) layout: who holds what.")
      .def("_repr_svg_",
           [](const AnyLayout& self) { return to_svg(layout_picture(self.composed())); })
      .def("latex", [](const AnyLayout& self) { return draw_latex(self.composed()); })
      .def("explain", explained, "dtype"_a = "f32", "threads"_a = 32,
           "What accesses by so many threads cost: runs, vectors, sectors, bank conflicts")
      .def("offsets", offsets, "Every offset, as a numpy array whose axes are the modes")
      .def(
          "__array__",
          [](const AnyLayout& self, nb::handle dtype, nb::handle) {
            const nb::object array = offsets(self);
            return dtype.is_none() ? array : array.attr("astype")(dtype);
          },
          "dtype"_a = nb::none(), "copy"_a = nb::none());
}

}  // namespace

void add_layouts(nb::module_& core) {
  add_basis(core);
  add_swizzle(core);
  add_explanation(core);
  nb::class_<AnyLayout> layout(core, "Layout",
                               "A function from coordinates to offsets, both counting elements");
  layout
      .def(
          "__init__",
          [](AnyLayout* self, nb::handle shape, nb::handle stride) {
            new (self) AnyLayout(made(shape, stride));
          },
          "shape"_a, "stride"_a = nb::none(),
          nb::sig("def __init__(self, shape: LayoutLike, stride: TupleLike = ...) -> None"),
          "From a text, \"(4,8):(8,1)\", or a shape and a stride; without one, first mode fastest")
      .def_prop_ro(
          "shape",
          [](const AnyLayout& self) { return to_python(self.domain().view().shape_view()); })
      .def_prop_ro(
          "stride",
          [](const AnyLayout& self) { return to_python(self.domain().view().stride_view()); })
      .def_prop_ro("swizzle", swizzle_of, "Of a plain layout the identity, Sw<0,0,0>")
      .def_prop_ro("offset", offset_of)
      .def(
          "size", [](const AnyLayout& self) { return size(self.domain()); }, "Coordinates")
      .def(
          "cosize", [](const AnyLayout& self) { return cosize(self.domain()); },
          "Elements of the buffer that it needs")
      .def_prop_ro("rank", [](const AnyLayout& self) { return self.domain().rank(); })
      .def_prop_ro("depth", [](const AnyLayout& self) { return depth(self.domain()); })
      .def("__len__", [](const AnyLayout& self) { return self.domain().rank(); })
      .def("__getitem__", mode, "which"_a,
           nb::sig("def __getitem__(self, which: int | builtins.slice) -> Layout"))
      .def("__call__", called, nb::sig("def __call__(self, *coordinates: IntTuple) -> Any"))
      .def("__reduce__", [](nb::handle self) {
        return nb::make_tuple(self.type(), nb::make_tuple(nb::str(self)));
      });
  add_value(
      layout, [](const AnyLayout& self) { return to_string(self.value()); },
      [](const AnyLayout& self) { return "jute.Layout('" + to_string(self.value()) + "')"; });
  add_algebra(layout);
  add_looks(layout);
}

}  // namespace jute::python
