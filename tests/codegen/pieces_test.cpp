// Every piece compiles from what its head says it needs, and gives what it says.
#include <jute/codegen/generate.hpp>
#include <jute/emit/interface.hpp>
#include <jute/emit/piece.hpp>
#include <jute/emit/template_set.hpp>
#include <jute/launch/device_presets.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "support/catch.hpp"
#include "support/compiler.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"
#include "support/specialised_cases.hpp"
#include "support/straight_cases.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;

namespace {

using Texts = std::map<std::string, std::string>;

/// `//   fills: inner = col; outer = row`
Texts examples_of(const std::string& text) {
  static const std::regex kFills("//   fills: ([^\n]*)\n");
  Texts examples{{"x", "a"}, {"X", "A"}, {"mn", "m"}, {"MN", "M"}};
  std::smatch found;
  if (!std::regex_search(text, found, kFills)) return examples;
  std::string list = found[1].str() + "; ";
  for (size_t end = list.find("; "); end != std::string::npos; end = list.find("; ")) {
    const std::string one = list.substr(0, end) + " ";
    const size_t equals = one.find(" = ");
    examples[one.substr(0, equals)] = one.substr(equals + 3, one.size() - equals - 4);
    list.erase(0, end + 2);
  }
  return examples;
}

/// The piece as its own examples fill it; pieces that it takes are empty where it names none.
std::string example_text(const TemplateSet& set, const std::string& path) {
  static const std::regex kHole(R"(\$(\{|\[)(\w+)[}\]])");
  Piece piece(set, path);
  const std::string& text = set.text(path);
  const Texts examples = examples_of(text);
  for (std::sregex_iterator hole(text.begin(), text.end(), kHole), end; hole != end; ++hole) {
    const auto example = examples.find((*hole)[2]);
    INFO("an example of " << hole->str());
    REQUIRE((example != examples.end() || (*hole)[1] == "["));
    piece.fill((*hole)[2].str(), example == examples.end() ? "" : example->second);
  }
  return piece.text();
}

bool is_of_kernels(const std::string& path) {
  return !path.starts_with("probe/") && !path.starts_with("instruction/");
}

struct ExamplePiece {
  std::string path, text;
  PieceInterface interface;
  bool has_pieces = false;
};

/// All pieces by path, filled.
std::vector<ExamplePiece> example_pieces() {
  const TemplateSet set = TemplateSet::built_in();
  std::vector<ExamplePiece> pieces;
  for (const auto& [path, text] : set.pieces()) {
    if (!is_of_kernels(path)) continue;
    INFO(path);
    const std::string filled = example_text(set, path);
    pieces.push_back({path, filled, interface_of(filled), text.find("$[") != std::string::npos});
  }
  return pieces;
}

const std::map<std::string, std::string> kExampleTypes{
    {"Accum", "typedef float Accum;"},
    {"Compute", "typedef float Compute;"},
    {"ElemA", "typedef float ElemA;"},
    {"ElemB", "typedef float ElemB;"},
    {"ElemC", "typedef unsigned short ElemC;"},
    {"ElemD", "typedef unsigned short ElemD;"},
    {"ElemIn2", "typedef unsigned char ElemIn2;"},
    {"ElemOut2", "typedef float ElemOut2;"},
    {"Gathered", "typedef float Gathered;"},
    {"PartA", "typedef float PartA;"},
    {"MoveA", "typedef Move<ElemA, PartA> MoveA;"},
    {"SumA", "typedef float SumA;"},
    {"RegisterA", "typedef unsigned RegisterA;"},
    {"RegisterB", "typedef unsigned RegisterB;"},
    {"RegisterC", "typedef float RegisterC;"},
    {"VectorA", "typedef Vector<ElemA, 4> VectorA;"},
    {"VectorB", "typedef Vector<ElemB, 4> VectorB;"},
    {"FragmentA", "typedef Fragment<ElemA, 16, RegisterA> FragmentA;"},
    {"FragmentB", "typedef Fragment<ElemB, 16, RegisterB> FragmentB;"},
    {"FragmentC", "typedef Fragment<Accum, 16, RegisterC> FragmentC;"},
    {"GroupEnd", "typedef int GroupEnd;"},
    {"EachGroup",
     "struct EachGroup { const void *a, *b, *c; void* d; long long lda, ldb, ldc, ldd; "
     "int m, n, k, reserved; };"},
    {"IndexA", "typedef int IndexA;"},
    {"IndexD", "typedef int IndexD;"},
    {"LineElem", "typedef ElemA LineElem;"},
    {"LineRegister", "typedef RegisterA LineRegister;"},
    {"KeptFragment", "typedef FragmentB KeptFragment;"}};

/// One piece in a namespace that declares what it needs and nothing else.
class Alone {
 public:
  Alone(const std::vector<ExamplePiece>& pieces, const ExamplePiece& piece)
      : pieces_(pieces), piece_(piece), declared_{piece.path} {
    for (const Declaration& own : piece.interface.gives) declared_.insert(own.name + own.type);
  }

  [[nodiscard]] std::string text(size_t number) {
    is_at_file_scope_ = std::regex_search(
        piece_.text, std::regex("(^|\n)(__device__|template|struct|union|extern) "));
    declare_all(piece_.interface.needs);
    std::string body = is_at_file_scope_ ? piece_.text : function(number);
    if (is_at_file_scope_ && !piece_.has_pieces) body += checks_of_functions();
    return "namespace piece_" + std::to_string(number) + " {\n" + before_ + body + "}\n";
  }

 private:
  void declare_all(const std::vector<Declaration>& needs) {
    // Pieces that give types and templates come whole, with all else that they give.
    const auto comes_whole = [](const Declaration& need) {
      return need.is_template || need.kind == DeclarationKind::type;
    };
    for (const Declaration& need : needs)
      if (comes_whole(need)) declare(need);
    for (const Declaration& need : needs)
      if (!comes_whole(need)) declare(need);
  }
  void declare(const Declaration& need) {
    if (!need.is_template) declare_words(need.type);
    if (!declared_.insert(need.name + need.type).second) return;
    if (need.kind == DeclarationKind::type)
      declare_type(need.name);
    else if (need.kind == DeclarationKind::constant)
      before_ += "constexpr " + need.type + " " + need.name +
                 (need.type == "bool" ? " = false;\n"
                  // Elements of two bytes leave by 16.
                  : need.name == "kOutElems" ? " = 8;\n"
                                             : " = 4;\n");
    else if (need.kind == DeclarationKind::variable && is_at_file_scope_)
      before_ += "__device__ " + need.type + " " + need.name + ";\n";
    else if (need.kind == DeclarationKind::variable)
      parameters_ += (parameters_.empty() ? "" : ", ") + reference(need);
    else if (need.is_template)
      include_giver(need);
    else
      before_ += "__device__ " + result(need) + " " + need.name + arguments(need) +
                 (result(need) == "void" ? " {}\n" : " { return {}; }\n");
  }
  /// Types and constants that a type is made of.
  void declare_words(const std::string& type) {
    static const std::regex kWord("[A-Za-z_]\\w*");
    for (std::sregex_iterator word(type.begin(), type.end(), kWord), end; word != end; ++word) {
      const std::string name = word->str();
      if (name[0] == 'k')
        declare({DeclarationKind::constant, name, "int", false});
      else if (kExampleTypes.contains(name) || giver(name, DeclarationKind::type) != nullptr)
        declare({DeclarationKind::type, name, {}, false});
    }
  }
  void declare_type(const std::string& name) {
    const auto known = kExampleTypes.find(name);
    if (known == kExampleTypes.end())
      return include_giver({DeclarationKind::type, name, {}, false});
    declare_words(known->second);
    before_ += known->second + "\n";
  }
  [[nodiscard]] const ExamplePiece* giver(const std::string& name, DeclarationKind kind) const {
    for (const ExamplePiece& piece : pieces_)
      for (const Declaration& given : piece.interface.gives)
        if (given.name == name && given.kind == kind) return &piece;
    return nullptr;
  }
  void include_giver(const Declaration& need) {
    const ExamplePiece* const piece = giver(need.name, need.kind);
    INFO(piece_.path << " needs " << need.name << ", which some piece gives");
    REQUIRE(piece != nullptr);
    if (!declared_.insert(piece->path).second) return;
    for (const Declaration& given : piece->interface.gives)
      declared_.insert(given.name + given.type);
    declare_all(piece->interface.needs);
    before_ += piece->text;
  }
  static std::string result(const Declaration& f) { return f.type.substr(0, f.type.find('(')); }
  static std::string arguments(const Declaration& f) { return f.type.substr(f.type.find('(')); }
  static std::string reference(const Declaration& v) {
    if (!v.type.ends_with("[]")) return v.type + "& " + v.name;
    return v.type.substr(0, v.type.size() - 2) + " (&" + v.name + ")[4]";
  }
  /// Statements, which may leave a round of the loop that they stand in, and the names that they
  /// give.
  [[nodiscard]] std::string function(size_t number) {
    std::string checks;
    if (!piece_.has_pieces)
      for (const Declaration& given : piece_.interface.gives) {
        declare_words(given.type);
        checks += "(void)" + given.name + ";\n";
        if (given.kind == DeclarationKind::variable && !given.type.ends_with("[]"))
          checks += "static_assert(is_same<decltype(" + given.name + "), " + given.type + ">, \"" +
                    given.name + "\");\n";
      }
    return "__device__ void body_" + std::to_string(number) + "(" + parameters_ +
           ") {\nfor (bool once = true; once; once = false) {\n" + piece_.text + checks + "}\n}\n";
  }
  [[nodiscard]] std::string checks_of_functions() {
    std::string checks;
    for (const Declaration& given : piece_.interface.gives) {
      if (given.kind != DeclarationKind::function || given.is_template) continue;
      declare_words(given.type);
      checks += "{ " + result(given) + " (*given)" + arguments(given) + " = " + given.name +
                "; (void)given; }\n";
    }
    return "__device__ void gives() {\n" + checks + "}\n";
  }

  const std::vector<ExamplePiece>& pieces_;
  const ExamplePiece& piece_;
  std::string before_, parameters_;
  std::set<std::string> declared_;
  bool is_at_file_scope_ = false;
};

constexpr const char* kSameTypes =
    "template <class T> struct Bare { typedef T type; };\n"
    "template <class T> struct Bare<const T> { typedef T type; };\n"
    "template <class T> struct Bare<const T&> { typedef T type; };\n"
    "template <class T> struct Bare<T* const> { typedef T* type; };\n"
    "template <class A, class B> struct Same { static constexpr bool value = false; };\n"
    "template <class A> struct Same<A, A> { static constexpr bool value = true; };\n"
    "template <class A, class B>\n"
    "constexpr bool is_same = Same<typename Bare<A>::type, B>::value;\n";

}  // namespace

TEST_CASE("every piece compiles from what its head needs alone, and gives what it says",
          "[codegen][pieces][compile]") {
  const std::vector<ExamplePiece> pieces = example_pieces();
  std::string text = kSameTypes;
  for (size_t i = 0; i < pieces.size(); ++i) text += Alone(pieces, pieces[i]).text(i);
  Source source;
  source.symbol = "multistage";
  source.arch = parse_arch("sm_90a");
  source.text = text;
  CHECK_FALSE(test::test_compiler().compile(source, Output::ptx).ptx.empty());
}

TEST_CASE("pieces meet in every kernel of a producer and consumers", "[codegen][pieces]") {
  const DeviceInfo& device = device_preset("h200");
  for (const test::SpecialisedRow& row : test::kSpecialised) {
    INFO(row.config);
    const test::GemmCase one = test::case_of(row, 1);
    CHECK_NOTHROW(generate(make_plan(one.problem, device, one.config)));
  }
}

TEST_CASE("pieces meet in every kernel that has no shared tiles", "[codegen][pieces]") {
  for (const test::StraightRow& row : test::all_straight()) {
    INFO(row.preset << " " << row.config);
    const test::GemmCase one = test::case_of(row, 1);
    CHECK_NOTHROW(generate(make_plan(one.problem, device_preset(row.preset), one.config)));
  }
}

TEST_CASE("a template of one's own that needs what nobody gives is refused by name",
          "[codegen][pieces][refusal]") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "kernel");
  const std::string path = "kernel/raster.cu";
  std::ofstream(folder.file(path)) << TemplateSet::built_in().text(path) << "// " << path
                                   << ": more.\n//   needs: long long m\n";
  const TemplateSet set = TemplateSet::from_directory(folder.path().string());
  const Plan plan = make_plan(test::problem_of(300, 512, 512), device_preset("a100"),
                              parse_config("main_loop=register_staged"));
  const Error error = test::refusal_of([&] { return generate(plan, set); });
  CHECK(error.code == ErrorCode::illegal_template);
  CHECK(error.operand == path);
  CHECK(error.value == "long long m");
  CHECK(error.violated_rules.front().ends_with("; the text gives int m"));
}
