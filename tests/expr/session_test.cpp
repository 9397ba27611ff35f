// Statements with names.
#include <jute/expr/session.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

std::string said(EvalSession& session, const std::string& line) {
  const Statement done = session.run(line);
  return done.value ? to_string(*done.value) : "";
}

}  // namespace

TEST_CASE("a name stands for its value", "[expr][session]") {
  EvalSession session;
  CHECK(session.run("a = (4,8):(8,1)").name == "a");
  CHECK(said(session, "a") == "(4,8):(8,1)");
  CHECK(said(session, "size(a)") == "32");
  CHECK(said(session, "auto b = composition(a, 4:2);") == "(2,2):(16,1)");
  session.run("shape = (4,8)");
  session.run("d = (8,1)");
  CHECK(said(session, "shape:d") == "(4,8):(8,1)");
  CHECK(said(session, "size(shape)") == "32");
  session.run("sw = Sw<3,3,3>");
  CHECK(said(session, "sw o 0 o a") == "Sw<3,3,3>o0o(4,8):(8,1)");
  session.run("a = 7:1");
  CHECK(said(session, "a") == "7:1");
}

TEST_CASE("a conversation knows its names", "[expr][session]") {
  EvalSession session;
  CHECK(session.names().empty());
  for (const char* line : {"b = 8:1", "a = b", "b = 4:1", "size(b)"}) session.run(line);
  CHECK(session.names() == std::vector<std::string>{"a", "b"});
}

TEST_CASE("comments and blank lines are nothing", "[expr][session]") {
  EvalSession session;
  for (const char* line : {"", "   ", "# all of it", "// of C++", "\t# and a blank"})
    CHECK_FALSE(session.run(line).value);
  CHECK(said(session, "size(8:1)  # eight") == "8");
  CHECK(said(session, "8:1 // eight") == "8:1");
}

TEST_CASE("a name that is none is refused, and a value that fails names nothing",
          "[expr][session][refusal]") {
  EvalSession session;
  for (const char* line : {"o = 8:1", "= 8:1", "4 = 8:1", "_ = 3"})
    CHECK_THROWS_AS(session.run(line), Exception);
  CHECK(test::refusal_of([&] { return session.run("x = size(8:1,2)"); }).code ==
        ErrorCode::wrong_arity);
  CHECK(test::refusal_of([&] { return session.run("x"); }).code == ErrorCode::unknown_name);
}
