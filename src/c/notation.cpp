// Problems of the C interface by the letters of a contraction, or by shapes of images.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/notation/contraction.hpp>
#include <jute/plan/notation/convolution.hpp>

#include <cstdint>
#include <utility>

#include "base/format.hpp"
#include "c/objects.hpp"

namespace jute::c {
namespace {

/// Extents, which the notation says and a problem's text must.
constexpr std::string_view kExtents = "M=1 N=1 K=1 ";

/// Types, alignments, scale factors and epilogue, from a problem's words.
Problem like_of(const char* words) {
  const std::string text(kExtents);
  try {
    return parse_problem(text + std::string(text_or_empty(words)));
  } catch (const Exception& refused) {
    Error error = refused.error();  // its place is in the caller's words
    if (error.position && error.position->line == 1)
      error.position->column -= static_cast<int>(kExtents.size());
    throw Exception(error);
  }
}

void refuse_extents(const Problem& like) {
  if (like.batch == 1 && !like.m_range) return;
  jute::refuse(ErrorCode::syntax, "words", like.m_range ? "m_range" : "batch",
               "the notation must say the extents alone");
}

StridedArray array_of(const jute_array& array, const std::string& name) {
  require_list(array.extents, array.axes, (name + ".extents").c_str());
  StridedArray made{{array.extents, array.extents + array.axes}, {}};
  made.strides_elems = array.strides == nullptr
                           ? packed_strides(made.extents)
                           : std::vector<Index>(array.strides, array.strides + array.axes);
  return made;
}

/// The result's strides; its extents are the operands'.
std::vector<Index> result_strides(const jute_array* result, const Subscripts& subscripts,
                                  const std::vector<StridedArray>& operands) {
  if (result == nullptr) return {};
  StridedArray given = array_of(*result, "result");
  if (const std::vector<Index> extents = result_extents(subscripts, operands);
      given.extents != extents)
    jute::refuse(ErrorCode::not_compatible, "result",
                 to_string(IntTuple::tuple({given.extents.begin(), given.extents.end()})),
                 "it must have an extent for each of its letters, that of the "
                 "operands",
                 to_string(IntTuple::tuple({extents.begin(), extents.end()})));
  return given.strides_elems;
}

std::vector<Problem> convolutions(const char* text, int32_t what, const Problem& like) {
  require_enumerator(what, JUTE_CONVOLUTION_FILTER, "what");
  const Convolution made = parse_convolution(required_text(text, "convolution"));
  if (what == JUTE_CONVOLUTION_DATA) return convolution_data_gradient(made, like);
  return {what == JUTE_CONVOLUTION_FILTER ? convolution_filter_gradient(made, like)
                                          : convolution(made, like)};
}

}  // namespace
}  // namespace jute::c

using namespace jute;
using namespace jute::c;

int32_t jute_problem_contract(const char* letters, const jute_array* operands, size_t count,
                              const jute_array* result, const char* words, jute_problem** problem) {
  return guarded([&] {
    expect(problem, "problem");
    const Subscripts subscripts = parse_subscripts(required_text(letters, "letters"));
    require_list(operands, count, "operands");
    if (const size_t wanted = subscripts.operands.size(); count != wanted)
      jute::refuse(ErrorCode::wrong_arity, "count", std::to_string(count),
                   "there must be an array for each of the letters' operands",
                   std::to_string(wanted));
    std::vector<StridedArray> arrays;
    for (size_t i = 0; i < count; ++i)
      arrays.push_back(array_of(operands[i], base::format("operands[{}]", i)));
    const Problem like = like_of(words);
    refuse_extents(like);
    Contraction made =
        contraction(subscripts, arrays, like, result_strides(result, subscripts, arrays));
    auto object = object_of_parts({std::move(made.problem)});
    object->operands = {made.modes.a, made.modes.b};
    give(problem, std::move(object));
  });
}

int32_t jute_problem_operand(const jute_problem* problem, int32_t operand, size_t* place) {
  return guarded([&] {
    require(place, "place");
    require_enumerator(operand, JUTE_OPERAND_B, "operand");
    *place = object_of(problem).operands[static_cast<size_t>(operand)];
  });
}

int32_t jute_problem_convolve(const char* convolution, int32_t what, size_t part, const char* words,
                              jute_problem** problem) {
  return guarded([&] {
    expect(problem, "problem");
    const Problem like = like_of(words);
    refuse_extents(like);
    std::vector<Problem> parts = convolutions(convolution, what, like);
    if (part == SIZE_MAX) {
      give(problem, object_of_parts(std::move(parts)));
      return;
    }
    if (part >= parts.size()) {
      const std::string last = std::to_string(parts.size() - 1);
      jute::refuse(ErrorCode::out_of_range, "part", std::to_string(part),
                   "it must be one of the problems, 0 to " + last, last);
    }
    give(problem, object_of_parts({std::move(parts[part])}));
  });
}

int32_t jute_convolution_parts(const char* convolution, int32_t what, size_t* count) {
  return guarded([&] {
    require(count, "count");
    *count = convolutions(convolution, what, {}).size();
  });
}
