// Finding atoms by name, listing them, and adding rows.
#include <jute/atom/catalogue.hpp>

#include "atom/tables.hpp"
#include "atom/unknown_atom.hpp"
#include "base/fork_gate.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <tuple>

namespace jute {
namespace {

using atom::Binding;
using atom::CopyFamily;
using atom::MmaFamily;

// clang-format off
/// Namespaces that CuTe itself leaves out, and struct names behind its aliases.
struct Spelling { std::string_view written, canonical; };
constexpr std::array kDropped = {std::string_view("cutlass::"), std::string_view("cute::")};
constexpr std::array kPrefixes = {
    Spelling{"SM90::GMMA::MMA_", "SM90_"}, Spelling{"SM90::MMA_", "SM90_"},
    Spelling{"SM120::SM120_16x8x32_TN<", "SM120_16x8x32_TN<"},
};
// clang-format on

void refuse_broken(const std::string& name, std::vector<std::string> broken) {
  if (broken.empty()) return;
  throw Exception({.code = ErrorCode::illegal_atom,
                   .operand = "atom",
                   .value = name,
                   .violated_rules = std::move(broken)});
}

/// Without blanks and implied namespaces.
std::string canonical(std::string_view name) {
  std::string text;
  for (const char c : name)
    if (c != ' ') text += c;
  for (const std::string_view dropped : kDropped)
    for (auto at = text.find(dropped); at != std::string::npos; at = text.find(dropped, at))
      text.erase(at, dropped.size());
  for (const Spelling& prefix : kPrefixes)
    if (text.starts_with(prefix.written)) text.replace(0, prefix.written.size(), prefix.canonical);
  return text;
}

/// K is what a name without template arguments says.
MmaAtom named_by_majors(MmaAtom atom) {
  const bool is_given = !atom.template_args.empty();
  if (is_given && (atom.a_major != Major::k || atom.b_major != Major::k))
    atom.name += "<" + atom.template_args + ">";
  return atom;
}

/// A wgmma name may be followed by the majors that it takes as template arguments.
std::optional<MmaAtom> with_arguments(const MmaFamily& family, const std::string& name) {
  if (family.template_args.empty() || !name.ends_with('>')) return std::nullopt;
  const std::string pattern =
      std::string(family.name) + "<" + std::string(family.template_args) + ">";
  const auto binding = atom::match(pattern, name, family.sets());
  if (!binding) return std::nullopt;
  return named_by_majors(instantiate(family, *binding));
}

/// The atom that takes the majors as template arguments, where the family has such.
MmaAtom of_majors(const MmaFamily& family, Binding binding, const MmaTypes& types) {
  if (family.any_major_a) binding.major_a = types.a_major;
  if (family.any_major_b) binding.major_b = types.b_major;
  return named_by_majors(instantiate(family, binding));
}

/// Keeps each atom that was composed of the tables: planning asks for the few that it knows
/// again and again.
template <class Key, class Value>
class Composed {
 public:
  std::optional<Value> find(const Key& key) {
    const std::shared_lock lock(guard_);
    const auto found = known_.find(key);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }
  /// The value that is kept, else the one that `compose` makes.
  template <class Compose>
  Value of(const Key& key, const Compose& compose) {
    auto found = find(key);
    return found ? *std::move(found) : keep(key, compose());
  }
  Value keep(const Key& key, Value value) {
    const std::unique_lock lock(guard_);
    return known_.try_emplace(key, std::move(value)).first->second;
  }

 private:
  base::ForkSafe<std::shared_mutex> guard_;
  std::map<Key, Value> known_;
};

std::optional<MmaAtom> compose_mma(const std::string& name) {
  for (const auto& table : atom::mma_tables())
    for (const MmaFamily& family : table) {
      if (!atom::starts_alike(family.name, name)) continue;
      if (const auto binding = atom::match(family.name, name, family.sets()))
        return instantiate(family, *binding);
      if (auto found = with_arguments(family, name)) return found;
    }
  return std::nullopt;
}

/// None is kept of names that the tables do not have: of these there is no end.
std::optional<MmaAtom> find_built_in_mma(const std::string& name) {
  static Composed<std::string, MmaAtom> mmas;
  if (auto found = mmas.find(name)) return found;
  auto composed = compose_mma(name);
  return composed ? mmas.keep(name, *std::move(composed)) : composed;
}

std::optional<CopyAtom> find_built_in_copy(const std::string& name) {
  for (const CopyFamily& family : atom::copy_table()) {
    if (!atom::starts_alike(family.name, name)) continue;
    const auto binding = atom::match(family.name, name, family.sets());
    if (!binding) continue;
    CopyAtom found = instantiate(family, *binding);
    if (found.box) refuse_broken(found.name, check(found));
    return found;
  }
  return std::nullopt;
}

template <class Atom>
std::optional<Atom> find_row(const std::vector<Atom>& rows, const std::string& name) {
  const auto found = std::ranges::find(rows, name, &Atom::name);
  return found == rows.end() ? std::nullopt : std::optional(*found);
}

/// The sets that a list runs through.
atom::HoleSets listed_sets(const MmaFamily& family) {
  atom::HoleSets sets = family.sets();
  if (family.listed_n.has(family.listed_n.first))
    sets.numbers[Binding::slot('N')] = {family.listed_n, atom::Range{}};
  return sets;
}
atom::HoleSets listed_sets(const CopyFamily& family) {
  atom::HoleSets sets = family.sets();
  if (family.listed_x.has(family.listed_x.first))
    sets.numbers[Binding::slot('X')] = {family.listed_x, atom::Range{}};
  if (family.listed_y.has(family.listed_y.first))
    sets.numbers[Binding::slot('Y')] = {family.listed_y, atom::Range{}};
  return sets;
}

/// From the sets of a list, those that multiply and add to such types; empty where the
/// family has none. Value types that a name does not show are for the atom itself to tell.
std::optional<atom::HoleSets> sets_of(const MmaFamily& family, const MmaTypes& types) {
  if (!family.listed) return std::nullopt;
  atom::HoleSets sets = listed_sets(family);
  sets.dtypes[Binding::slot('D')] = sets.dtypes[Binding::slot('C')] = types.accumulate;
  if (family.a_value == MmaFamily().a_value) sets.dtypes[Binding::slot('A')] = types.a;
  if (family.b_value == MmaFamily().b_value) sets.dtypes[Binding::slot('B')] = types.b;
  if (types.n == 0) return sets;
  auto& legal = sets.numbers[Binding::slot('N')];
  if (!legal[0].has(types.n) && !legal[1].has(types.n)) return std::nullopt;
  legal = {atom::Range{types.n, types.n}, atom::Range{}};
  return sets;
}

/// The bindings that a list shows; a box that no swizzle allows is none.
void for_each_listed(const MmaFamily& family, const atom::BindingVisitor& visit) {
  if (family.listed) atom::for_each_binding(listed_sets(family), visit);
}
void for_each_listed(const CopyFamily& family, const atom::BindingVisitor& visit) {
  if (!family.listed) return;
  const bool is_boxed = family.y.has(family.y.first);
  atom::for_each_binding(listed_sets(family), [&](const Binding& binding) {
    if (!is_boxed || check(instantiate(family, binding)).empty()) visit(binding);
  });
}

template <class Family>
void add_names(std::vector<AtomSummary>& list, const Family& family, AtomKind kind) {
  for_each_listed(family, [&](const Binding& binding) {
    list.push_back({fill(family.name, binding), kind, name(family.form), family.arch});
  });
}

template <class Family>
AtomFamily described(const Family& family, AtomKind kind) {
  AtomFamily result{
      std::string(family.name), kind,       name(family.form),          family.arch, {},
      std::string(family.ptx),  family.isa, std::string(family.source), {}};
  for_each_listed(
      family, [&](const Binding& binding) { result.atoms.push_back(fill(family.name, binding)); });
  return result;
}

template <class Atom>
void check_row(const Catalogue& catalogue, const Atom& row) {
  std::vector<std::string> broken = check(row);
  if (catalogue.try_mma(row.name) || catalogue.try_copy(row.name))
    broken.emplace_back("the name must not be taken");
  refuse_broken(row.name, std::move(broken));
}

}  // namespace

Catalogue Catalogue::built_in() { return {}; }

std::vector<AtomFamily> built_in_families() {
  std::vector<AtomFamily> list;
  for (const auto& table : atom::mma_tables())
    for (const MmaFamily& family : table) {
      list.push_back(described(family, AtomKind::mma));
      list.back().layouts = {{"A", std::string(family.a_tv)},
                             {"B", std::string(family.b_tv)},
                             {"C", std::string(family.c_tv)}};
      if (!family.e_tv.empty()) list.back().layouts.emplace_back("E", family.e_tv);
    }
  for (const CopyFamily& family : atom::copy_table()) {
    list.push_back(described(family, AtomKind::copy));
    list.back().layouts = {{"src", std::string(family.src)},
                           {"dst", std::string(family.dst)},
                           {"ref", std::string(family.ref)}};
  }
  return list;
}

std::optional<MmaAtom> Catalogue::try_mma(std::string_view name) const {
  const std::string text = canonical(name);
  if (auto found = find_built_in_mma(text)) return found;
  return find_row(mma_, text);
}

std::optional<CopyAtom> Catalogue::try_copy(std::string_view name) const {
  const std::string text = canonical(name);
  if (auto found = find_built_in_copy(text)) return found;
  return find_row(copies_, text);
}

MmaAtom Catalogue::mma(std::string_view name) const {
  if (auto found = try_mma(name)) return *std::move(found);
  atom::refuse_unknown(*this, name, AtomKind::mma);
}

CopyAtom Catalogue::copy(std::string_view name) const {
  if (auto found = try_copy(name)) return *std::move(found);
  atom::refuse_unknown(*this, name, AtomKind::copy);
}

std::variant<MmaAtom, CopyAtom> Catalogue::find(std::string_view name) const {
  if (auto found = try_mma(name)) return *std::move(found);
  if (auto found = try_copy(name)) return *std::move(found);
  atom::refuse_unknown(*this, name, std::nullopt);
}

std::vector<AtomSummary> Catalogue::list() const {
  std::vector<AtomSummary> list;
  for (const auto& table : atom::mma_tables())
    for (const MmaFamily& family : table) add_names(list, family, AtomKind::mma);
  for (const CopyFamily& family : atom::copy_table()) add_names(list, family, AtomKind::copy);
  std::ranges::stable_sort(
      list, {}, [](const AtomSummary& atom) { return std::pair(atom.arch.number, atom.kind); });
  for (const MmaAtom& row : mma_)
    list.push_back({row.name, AtomKind::mma, jute::name(row.form), row.arch});
  for (const CopyAtom& row : copies_)
    list.push_back({row.name, AtomKind::copy, jute::name(row.form), row.arch});
  return list;
}

std::vector<AtomSummary> Catalogue::list(Arch target) const {
  std::vector<AtomSummary> runnable = list();
  std::erase_if(runnable, [&](const AtomSummary& atom) { return !provides(target, atom.arch); });
  return runnable;
}

namespace {

bool multiplies(const MmaAtom& atom, const MmaTypes& types) {
  const auto adds_to = [&](const ValueType& type) { return type.dtype == types.accumulate; };
  const bool from_memory = !in_registers(atom.b_register);
  return atom.a_type.dtype == types.a && atom.b_type.dtype == types.b && adds_to(atom.c_type) &&
         adds_to(atom.d_type) && (types.n == 0 || atom.shape.n == types.n) &&
         (!from_memory || (atom.a_major == types.a_major && atom.b_major == types.b_major));
}

std::vector<MmaAtom> composed_mmas(MmaForm form, Arch target, const MmaTypes& types) {
  std::vector<MmaAtom> runnable;
  for (const auto& table : atom::mma_tables())
    for (const MmaFamily& family : table)
      if (family.form == form && provides(target, family.arch))
        if (const auto sets = sets_of(family, types))
          atom::for_each_binding(*sets, [&](const Binding& binding) {
            MmaAtom atom = of_majors(family, binding, types);
            if (multiplies(atom, types)) runnable.push_back(std::move(atom));
          });
  std::ranges::stable_sort(runnable, {}, [](const MmaAtom& atom) { return atom.arch.number; });
  return runnable;
}

std::vector<MmaAtom> built_in_mmas(MmaForm form, Arch target, const MmaTypes& types) {
  using Key = std::tuple<MmaForm, int, char, DType, DType, DType, int, Major, Major>;
  static Composed<Key, std::vector<MmaAtom>> mmas;
  const Key key{form,    target.number, target.suffix, types.a, types.b, types.accumulate,
                types.n, types.a_major, types.b_major};
  return mmas.of(key, [&] { return composed_mmas(form, target, types); });
}

std::vector<CopyAtom> composed_copies(CopyForm form, Arch target) {
  std::vector<CopyAtom> runnable;
  for (const CopyFamily& family : atom::copy_table())
    if (family.form == form && provides(target, family.arch))
      for_each_listed(family, [&](const Binding& binding) {
        runnable.push_back(instantiate(family, binding));
      });
  std::ranges::stable_sort(runnable, {}, [](const CopyAtom& atom) { return atom.arch.number; });
  return runnable;
}

std::vector<CopyAtom> built_in_copies(CopyForm form, Arch target) {
  using Key = std::tuple<CopyForm, int, char>;
  static Composed<Key, std::vector<CopyAtom>> copies;
  return copies.of({form, target.number, target.suffix},
                   [&] { return composed_copies(form, target); });
}

}  // namespace

std::vector<MmaAtom> Catalogue::mmas(MmaForm form, Arch target, const MmaTypes& types) const {
  std::vector<MmaAtom> runnable = built_in_mmas(form, target, types);
  for (const MmaAtom& row : mma_)
    if (row.form == form && provides(target, row.arch) && multiplies(row, types))
      runnable.push_back(row);
  return runnable;
}

std::vector<CopyAtom> Catalogue::copies(CopyForm form, Arch target) const {
  std::vector<CopyAtom> runnable = built_in_copies(form, target);
  for (const CopyAtom& row : copies_)
    if (row.form == form && provides(target, row.arch)) runnable.push_back(row);
  return runnable;
}

Catalogue Catalogue::with(MmaAtom row) && {
  check_row(*this, row);
  mma_.push_back(std::move(row));
  return std::move(*this);
}

Catalogue Catalogue::with(CopyAtom row) && {
  check_row(*this, row);
  copies_.push_back(std::move(row));
  return std::move(*this);
}

}  // namespace jute
