#pragma once
// Counts the heap allocations of a call; the replaced operators are in counting_allocator.cpp.
namespace jute::test {

[[nodiscard]] long allocation_count();

template <class Call>
long allocations_of(Call&& call) {
  const long before = allocation_count();
  (void)call();
  return allocation_count() - before;
}

}  // namespace jute::test
