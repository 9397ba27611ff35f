// Instructions as rows of data, and their tilings.
#include <jute/atom/catalogue.hpp>
#include <jute/atom/tiled.hpp>
#include <jute/draw/latex.hpp>
#include <jute/draw/picture.hpp>

#include "convert.hpp"
#include "module.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

/// An atom, or its name.
template <class Atom>
Atom atom_of(nb::handle object) {
  const Value value = to_value(object);
  if (const auto* atom = std::get_if<Boxed<Atom>>(&value)) return **atom;
  const auto* word = std::get_if<Word>(&value);
  if (word == nullptr)
    refuse(ErrorCode::wrong_type, "atom", to_string(value), "it must be an atom or its name");
  if constexpr (std::is_same_v<Atom, MmaAtom>)
    return Catalogue().mma(word->text);
  else
    return Catalogue().copy(word->text);
}

template <class Atom>
nb::typed<nb::dict, nb::str, std::optional<nb::str>> facts(const Atom& atom) {
  nb::dict all;
  for (const AtomField& field : fields(atom))
    all[nb::str(field.key.c_str())] =
        field.text ? nb::object(nb::str(field.text->c_str())) : nb::object(nb::none());
  return all;
}

AnyLayout any(const Layout& layout) { return layout; }

/// Makes every value here Python's: printed, compared, hashed.
template <class Kind>
nb::class_<Kind> value_class(nb::module_& core, const char* name, const char* doc) {
  nb::class_<Kind> type(core, name, doc);
  const auto text = [](const Kind& self) { return to_string(Value(Boxed<Kind>(self))); };
  return add_value(type, text, text);
}

void add_mma(nb::module_& core) {
  value_class<MmaAtom>(core, "MmaAtom", "One instruction that multiplies, by CuTe's name")
      .def(
          "__init__",
          [](MmaAtom* self, nb::handle name) { new (self) MmaAtom(atom_of<MmaAtom>(name)); },
          "name"_a, nb::sig("def __init__(self, name: MmaAtom | str) -> None"))
      .def_prop_ro("name", [](const MmaAtom& self) { return self.name; })
      .def("fields", facts<MmaAtom>, "What `jute atom show` prints, by name")
      .def(
          "draw", [](const MmaAtom& self) { return mma_picture(self); },
          "Which thread holds which value of A, B and C")
      .def("latex", [](const MmaAtom& self) { return draw_latex(self); })
      .def("_repr_svg_", [](const MmaAtom& self) { return to_svg(mma_picture(self)); });
  value_class<TiledMma>(core, "TiledMMA", "An MMA atom repeated over M, N and K, as CuTe's")
      .def(
          "__init__",
          [](TiledMma* self, nb::handle atom, nb::handle layout, nb::handle permutation) {
            const AnyLayout atoms = to_layout(layout);
            new (self) TiledMma(atom_of<MmaAtom>(atom), atoms.domain(), to_tiler(permutation));
          },
          "atom"_a, "atom_layout"_a = "(1,1,1):(0,0,0)", "permutation"_a = "(_,_,_)",
          nb::sig("def __init__(self, atom: MmaAtom | str, atom_layout: LayoutLike = ..., "
                  "permutation: TilerLike = ...) -> None"),
          "`atom_layout`: atoms along (M,N,K) -> which group of threads; `permutation`: of each of "
          "M, N, K the tile that threads share out")
      .def_prop_ro("atom", [](const TiledMma& self) { return self.atom(); })
      .def_prop_ro("atom_layout", [](const TiledMma& self) { return any(self.atom_layout()); })
      .def(
          "size", [](const TiledMma& self) { return size(self); }, "Threads")
      .def("draw", [](const TiledMma& self) { return tiled_mma_picture(self); })
      .def("latex", [](const TiledMma& self) { return draw_latex(self); })
      .def("_repr_svg_", [](const TiledMma& self) { return to_svg(tiled_mma_picture(self)); });
}

ValueType value_type_of(nb::handle dtype) {
  return parse_value_type(nb::cast<std::string>(nb::str(dtype)));
}

void add_copy(nb::module_& core) {
  value_class<CopyAtom>(core, "CopyAtom", "One instruction that copies, by CuTe's name")
      .def(
          "__init__",
          [](CopyAtom* self, nb::handle name) { new (self) CopyAtom(atom_of<CopyAtom>(name)); },
          "name"_a, nb::sig("def __init__(self, name: CopyAtom | str) -> None"))
      .def_prop_ro("name", [](const CopyAtom& self) { return self.name; })
      .def("fields", facts<CopyAtom>, "What `jute atom show` prints, by name")
      .def(
          "draw",
          [](const CopyAtom& self, nb::handle dtype) {
            return copy_picture(self, value_type_of(dtype).bits);
          },
          "dtype"_a = "f16", "Where values come from (left) and go to (right)");
  value_class<TiledCopy>(core, "TiledCopy", "A copy atom repeated over a tile, as CuTe's")
      .def(
          "__init__",
          [](TiledCopy* self, nb::handle atom, nb::handle dtype, nb::handle threads,
             nb::handle values) {
            new (self) TiledCopy(atom_of<CopyAtom>(atom), value_type_of(dtype),
                                 to_layout(threads).domain(), to_layout(values).domain());
          },
          "atom"_a, "dtype"_a, "thr_layout"_a, "val_layout"_a,
          nb::sig("def __init__(self, atom: CopyAtom | str, dtype: str, thr_layout: LayoutLike, "
                  "val_layout: LayoutLike) -> None"),
          "Each thread of (m,n) -> thread copies one block of (m,n) -> value")
      .def_prop_ro("atom", [](const TiledCopy& self) { return self.atom(); })
      .def(
          "size", [](const TiledCopy& self) { return size(self); }, "Threads")
      .def("draw", [](const TiledCopy& self) { return tiled_copy_picture(self); })
      .def("latex", [](const TiledCopy& self) { return draw_latex(self); })
      .def("_repr_svg_", [](const TiledCopy& self) { return to_svg(tiled_copy_picture(self)); });
}

std::vector<std::string> listed(const std::optional<std::string>& arch) {
  std::vector<std::string> names;
  const Catalogue catalogue;
  for (const AtomSummary& atom : arch ? catalogue.list(parse_arch(*arch)) : catalogue.list())
    names.push_back(atom.name);
  return names;
}

}  // namespace

void add_atoms(nb::module_& core) {
  add_mma(core);
  add_copy(core);
  core.def("atoms", listed, "arch"_a = nb::none(),
           "Names of all atoms, or of those that code for an architecture can run");
}

}  // namespace jute::python
