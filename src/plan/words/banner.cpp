// The comment at the top of a kernel, from the step's fields.
#include <jute/plan/words/banner.hpp>

#include <jute/plan/values/fields.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace jute {
namespace {

/// `{a.ld}` is a field of the step; in a sentence about the items of a list one of the item, and
/// `{}` all of it, `#` its place.
struct Sentence {
  std::string_view about;  ///< a field without which there is nothing to say, or, behind a `!`,
                           ///< with which; always, where empty
  std::string_view words;
};
// Nothing that may differ between launches of one text.
// clang-format off
constexpr std::array kSentences{
    Sentence{"",                "{epilogue.expression} on {arch}; acc is A*B, alpha {epilogue.alpha}, beta {epilogue.beta}"},
    Sentence{"transposed",      "planned transposed: A is the problem's B"},
    Sentence{"",                "  M {m}, N {n}, K {k}; accumulates in {accumulate}"},
    Sentence{"promote_every_k", "  sums of {promote_every_k} of K are added to those before"},
    Sentence{"a.scales",        "  as they are added they are multiplied by A's {a.scales}"},
    Sentence{"b.scales",        "  as they are added they are multiplied by B's {b.scales}"},
    Sentence{"products",        "  products {products} of terms of A and of B, each of which a stage holds"},
    Sentence{"",                "  A (M,K) {a.type}, {a.major}-major, ld {a.ld}; {a.vector_elems} elements an access"},
    Sentence{"",                "  B (N,K) {b.type}, {b.major}-major, ld {b.ld}; {b.vector_elems} elements an access"},
    Sentence{"epilogue.beta",   "  C (M,N) {epilogue.c_type}, {epilogue.c_order}-major, ld {epilogue.ldc}; {epilogue.c_vector_elems} elements an access"},
    Sentence{"",                "  D (M,N) {epilogue.d_type}, {epilogue.d_order}-major, ld {epilogue.ldd}; {epilogue.vector_elems} elements an access"},
    Sentence{"epilogue.inputs", "  in# is {name}: {type} {extent}"},
    Sentence{"epilogue.outputs","  out# is {name}: {type} {extent}"},
    Sentence{"",                "  {threads} threads ({schedule.roles}) compute a tile of {tile}: M, N, K of a stage"},
    Sentence{"schedule.widths", "  a launch says how many columns tiles have: {schedule.widths}"},
    Sentence{"schedule.split_k_at_run_time", "  and into how many slices of K they are cut"},
    Sentence{"!schedule.is_generic", "  stages {schedule.stages}, slices of K {schedule.split_k}"},
    Sentence{"schedule.is_generic",  "  a launch says when the next step may begin; where a producer loads, how many stages and slices of K there are, and clusters of how many blocks"},
    Sentence{"",                "{mma.atom}: atoms {mma.atom_layout}, permutation {mma.permutation}; (thread,value) of the TiledMma's tile:"},
    Sentence{"",                "  A (m + M*k)  {mma.a_tv}"},
    Sentence{"",                "  B (n + N*k)  {mma.b_tv}"},
    Sentence{"",                "  D (m + M*n)  {mma.c_tv}"},
    Sentence{"smem",            "  shared {}"},
    Sentence{"a.smem",          "  one copy of a as (m,k) -> element  {a.smem}"},
    Sentence{"b.smem",          "  one copy of b as (n,k) -> element  {b.smem}"},
    Sentence{"epilogue.stage",  "  D on its way, as accumulators  {epilogue.stage}"},
    Sentence{"signals",         "  signal {}"},
    Sentence{"",                "Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,"},
    Sentence{"",                "onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a"},
    Sentence{"",                "thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant."},
};
// clang-format on

/// Nothing where a step has no such field.
const Field* at(const Field& from, std::string_view path) {
  if (path.empty()) return &from;
  const size_t dot = std::min(path.find('.'), path.size());
  const auto found =
      std::ranges::find(std::get<Fields>(from.value), path.substr(0, dot), &Field::name);
  if (found == std::get<Fields>(from.value).end()) return nullptr;
  return at(*found, path.substr(std::min(dot + 1, path.size())));
}

/// The literal of an extent, or else what is known of it.
std::string banner_text(const Field& field) {
  const auto* group = std::get_if<Fields>(&field.value);
  if (group == nullptr || std::ranges::find(*group, "baked", &Field::name) == group->end())
    return to_string(field);
  if (std::get<bool>(at(field, "baked")->value)) return to_string(*at(field, "value"));
  const Field& multiple = *at(field, "multiple_of");
  return std::get<Index>(multiple.value) > 1 ? "a multiple of " + to_string(multiple) : "run-time";
}

bool says_something(const Field& field) {
  static const std::set<std::string> kNothing{"", "0", "1:0", "none", "false"};
  const auto* list = std::get_if<FieldList>(&field.value);
  return list != nullptr ? !list->items.empty() : !kNothing.contains(banner_text(field));
}

std::string line(std::string_view words, const Field& of, size_t place = 0) {
  std::string text = "// ";
  while (!words.empty()) {
    const size_t end = words.find('}'), plain = std::min(words.find_first_of("{#"), words.size());
    text += words.substr(0, plain);
    words.remove_prefix(plain);
    if (words.starts_with('#')) {
      text += std::to_string(place);
      words.remove_prefix(1);
    } else if (!words.empty()) {
      text += banner_text(*at(of, words.substr(1, end - plain - 1)));
      words.remove_prefix(end - plain + 1);
    }
  }
  return text + "\n";
}

}  // namespace

std::string banner(const GemmStep& step) {
  GemmStep told = step;
  if (says_cluster(step.schedule))  // stages, as many as there are, lie behind all else
    std::erase_if(told.smem_map, [](const SmemRegion& region) {
      return region.name == "a" || region.name == "b";
    });
  const Field all{"step", fields(told, RunValues{.width = step.tile.n})};
  std::string text;
  for (const auto& [about, words] : kSentences) {
    const bool is_denied = about.starts_with('!');
    const Field* const subject = at(all, about.substr(is_denied ? 1 : 0));
    if (subject == nullptr) continue;
    if (const auto* list = std::get_if<FieldList>(&subject->value))
      for (size_t i = 0; i < list->items.size(); ++i) text += line(words, list->items[i], i);
    else if (about.empty() || says_something(*subject) != is_denied)
      text += line(words, all);
  }
  return text;
}

}  // namespace jute
