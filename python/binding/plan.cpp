// Problems and plans: every stage between a question and a kernel, as values.
#include <jute/base/retold.hpp>
#include <jute/jute.hpp>

#include <algorithm>

#include "compiler.hpp"
#include "convert.hpp"
#include "module.hpp"
#include "words.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

/// Does the word stand behind m, n and k?
bool is_keyword(const Keyword& word) {
  return !word.keyword.empty() && word.kind != WordKind::extent && word.name != "bound";
}

std::vector<std::string> keywords() {
  std::vector<std::string> names;
  for (const Keyword& word : words_of_problems())
    if (is_keyword(word)) names.emplace_back(word.keyword);
  return names;
}

/// What checkers of types know of Problem's words.
std::string signature_of_problem() {
  std::string text =
      "def __init__(self, m: int | str, n: int | None = None, k: int | None = None, *";
  for (const Keyword& word : words_of_problems()) {
    if (!is_keyword(word)) continue;
    const bool is_number = word.kind == WordKind::number || word.kind == WordKind::bytes;
    text += ", " + std::string(word.keyword) +
            (word.kind == WordKind::type ? ": Any"
             : is_number                 ? ": int | None"
             : word.name == "m_range"    ? ": str | tuple[int, int] | None"
                                         : ": str | None") +
            " = None";
  }
  return text + ") -> None";
}

/// What Python says of a word, as a text says it.
std::string said_text(const Keyword& word, nb::handle value) {
  const char* const name = word.keyword.data();
  if (word.kind == WordKind::number || word.kind == WordKind::bytes)
    return std::to_string(to_index(value, name));
  if (word.kind == WordKind::type) return std::string(jute::name(to_dtype(value)));
  if (word.name != "m_range" || PyUnicode_Check(value.ptr())) return text_of(value, name);
  const auto [first, last] = to_pair(value, name);
  return to_string(MRange{first, last});
}

Problem problem_of(Index m, Index n, Index k, const nb::kwargs& given) {
  const auto is_said = [&](std::string_view keyword) {
    return given.contains(keyword.data()) && !given[keyword.data()].is_none();
  };
  if (is_said("dtype") && is_said("dtype_a") && is_said("dtype_b"))
    refuse(ErrorCode::unsupported, "dtype", nb::cast<std::string>(nb::str(given["dtype"])),
           "it must be left out beside dtype_a and dtype_b, which say both");
  std::vector<SaidWord> said{{"alpha", "1"}, {"beta", "0"}};
  for (const auto& [word, extent] : {std::pair{"M", m}, std::pair{"N", n}, std::pair{"K", k}})
    said.push_back({word, std::to_string(extent)});
  const std::vector<std::string> known = keywords();
  for (const auto& [name, value] : given)
    if (std::ranges::find(known, nb::cast<std::string>(name)) == known.end())
      refuse_keyword(name, known, "Problem");
  for (const Keyword& word : words_of_problems())
    if (is_keyword(word) && is_said(word.keyword))  // None says nothing
      said.push_back({std::string(word.name), said_text(word, given[word.keyword.data()])});
  // Of one type alone the other is f32; what C is read as lies as D.
  if (!is_said("dtype")) said.push_back({"type", "f32"});
  if (is_said("ldd") && !is_said("ldc"))
    said.push_back({"ldc", std::to_string(to_index(given["ldd"], "ldd"))});
  return retold([&] { return completed(problem_of_words(said)); },
                [](Error& error) {
                  const Keyword* const word = find_word(words_of_problems(), error.operand);
                  if (word != nullptr && !word->keyword.empty()) error.operand = word->keyword;
                });
}

/// The problem's text is all of it: whatever stands beside it would be lost.
Problem problem_of(const std::string& text, const nb::object& n, const nb::object& k,
                   const nb::kwargs& given) {
  nb::dict beside(given);
  for (const auto& [name, number] : {std::pair("n", &n), std::pair("k", &k)})
    if (!number->is_none()) beside[name] = *number;
  for (const auto& [name, value] : beside)
    refuse(ErrorCode::unsupported, nb::cast<std::string>(name),
           nb::cast<std::string>(nb::str(value)),
           "the problem's text must say it: beside a text it must be left out");
  return completed(parse_problem(text));
}

Problem problem_of(const nb::object& m, const nb::object& n, const nb::object& k,
                   const nb::kwargs& given) {
  if (PyUnicode_Check(m.ptr())) return problem_of(nb::cast<std::string>(m), n, k, given);
  for (const auto& [name, number] : {std::pair("m", &m), std::pair("n", &n), std::pair("k", &k)})
    if (number->is_none())
      refuse(ErrorCode::wrong_arity, name, "None", "m, n and k must all be given");
  return problem_of(to_index(m, "m"), to_index(n, "n"), to_index(k, "k"), given);
}

using Facts = nb::typed<nb::dict, nb::str, nb::any>;
Facts in_python(const Fields& facts);

struct FieldValue {
  nb::object operator()(Index number) const { return nb::int_(number); }
  nb::object operator()(bool truth) const { return nb::bool_(truth); }
  nb::object operator()(const std::string& text) const { return nb::str(text.c_str()); }
  nb::object operator()(const std::vector<Index>& numbers) const { return nb::cast(numbers); }
  nb::object operator()(const Fields& group) const { return in_python(group); }
  nb::object operator()(const FieldList& list) const {
    nb::list items;
    for (const Field& item : list.items) items.append(std::visit(FieldValue{}, item.value));
    return items;
  }
};

Facts in_python(const Fields& facts) {
  Facts all;
  for (const Field& field : facts)
    all[nb::str(field.name.c_str())] = std::visit(FieldValue{}, field.value);
  return all;
}

std::vector<Source> sources_of(const Plan& plan) { return generate(plan); }

std::string source_of(const Plan& plan) {
  std::string text;
  for (const Source& source : sources_of(plan)) text += (text.empty() ? "" : "\n") + source.text;
  return text;
}

std::string ptx_of(const Plan& plan) {
  const Settings settings = settings_here();
  const nb::gil_scoped_release release;
  const Compiler compiler(settings);
  std::string text;
  for (const Source& source : sources_of(plan))
    text += (text.empty() ? "" : "\n") + compiler.compile(source, Output::ptx).ptx;
  return text;
}

/// The report: what runs, what it is expected to take and why; then every candidate.
std::string explained(const Plan& plan) {
  const std::vector<Considered> candidates = considered(plan.problem, plan.device);
  return to_string(summary(plan, candidates)) + '\n' + explain(plan) +
         "Considered, fewest clocks first:\n" + to_string(fields(candidates));
}

void add_problem(nb::module_& core) {
  nb::class_<Problem>(core, "Problem", "What is multiplied: D = A·B, A (M,K), B (K,N), D (M,N)")
      .def(
          "__init__",
          [](Problem* self, const nb::object& m, const nb::object& n, const nb::object& k,
             const nb::kwargs& given) { new (self) Problem(problem_of(m, n, k, given)); },
          "m"_a, "n"_a = nb::none(), "k"_a = nb::none(), "given"_a,
          nb::sig(signature_of_problem().c_str()),
          "From extents and keywords, or from its text alone; what that leaves out is as usual: "
          "\"M=48 N=40 K=32\"")
      .def_ro("m", &Problem::m)
      .def_ro("n", &Problem::n)
      .def_ro("k", &Problem::k)
      .def_ro("batch", &Problem::batch)
      .def("__str__", [](const Problem& self) { return to_string(self); })
      .def("__repr__", [](const Problem& self) { return "<jute.Problem " + to_string(self) + ">"; })
      .def(
          "__eq__",
          // A C that is not read may lie anyhow: the canonical text leaves it out.
          [](const Problem& a, const Problem& b) { return to_string(a) == to_string(b); },
          nb::is_operator());
}

}  // namespace

void add_plans(nb::module_& core) {
  add_problem(core);
  nb::class_<Plan>(core, "Plan", "Every decision about a kernel, before a line of it is written")
      .def_prop_ro("problem", [](const Plan& self) { return self.problem; })
      .def(
          "fields", [](const Plan& self) { return in_python(fields(self)); },
          "Every fact under its name, as `jute plan --json` has them")
      .def_prop_ro("source", source_of, "The CUDA text of all steps")
      .def(
          "sources",
          [](const Plan& self) {
            nb::typed<nb::dict, nb::str, nb::str> texts;
            for (const Source& source : sources_of(self))
              texts[nb::str(source.symbol.c_str())] = source.text;
            return texts;
          },
          "The CUDA text of each step, by its kernel's name")
      .def_prop_ro("ptx", ptx_of, "What NVRTC makes of it: the PTX of all steps")
      .def(
          "view",
          [](nb::handle self) { return nb::module_::import_("jute._view").attr("View")(self); },
          "A page for notebooks: the plan, its layouts in shared memory, CUDA and PTX")
      .def_prop_ro(
          "expected_us", [](const Plan& self) { return expected_time(self).us; },
          "Microseconds of a run among others of its kind, by the cost model")
      .def_prop_ro(
          "bound_us", [](const Plan& self) { return expected_time(self).bound_us; },
          "Microseconds that its multiply-adds or its memory take alone, the longer of both")
      .def("explain", explained, "What runs, what it is expected to take, and why it is this")
      .def(
          "numerics", [](const Plan& self) { return numerics(self); },
          "Accumulation, rounding, NaN and infinity, the bound on the error")
      .def("__str__", [](const Plan& self) { return to_string(self); })
      .def("__repr__",
           [](const Plan& self) { return "<jute.Plan of " + to_string(self.problem) + ">"; })
      .def(
          "__eq__", [](const Plan& a, const Plan& b) { return a == b; }, nb::is_operator());
  core.def(
      "make_plan",
      [](const Problem& problem, const std::string& device, const std::string& config) {
        return make_plan(problem, parse_chip(device), parse_config(config));
      },
      "problem"_a, "device"_a = "h200", "config"_a = "");
  core.attr("problem_keywords") = nb::tuple(nb::cast(keywords()));
  core.def(
      "nearest_name",
      [](const std::string& name, const std::vector<std::string>& known) {
        return nearest_name(name, known);
      },
      "name"_a, "known"_a);
  core.def("driver_devices", [] {
    std::vector<std::string> names;
    if (const auto driver = find_driver())
      for (const DeviceInfo& device : driver->devices) names.emplace_back(device.name);
    return names;
  });
  core.def("devices", [] {
    std::vector<std::string> names;
    for (const DeviceInfo& device : device_presets()) names.emplace_back(device.name);
    return names;
  });
}

}  // namespace jute::python
