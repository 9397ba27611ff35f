#pragma once
// The Error with which a call refuses.
#include <jute/base/error.hpp>

#include <stdexcept>

namespace jute::test {

template <class Call>
Error refusal_of(Call&& call) {
  try {
    (void)call();
  } catch (const Exception& exception) {
    return exception.error();
  }
  throw std::logic_error("the call was expected to refuse, and did not");
}

}  // namespace jute::test
