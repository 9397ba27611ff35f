// Turns a function of scalars into a lane function and a table row. Included inside a namespace of
// internal linkage, after opcode_table.hpp; no include guard: each build of the rows has its own.

template <class T>
struct Lanes {
  const std::byte* bytes;
  T operator[](int lane) const {
    T value;
    __builtin_memcpy(&value, bytes + static_cast<size_t>(lane) * sizeof(T), sizeof(T));
    return value;
  }
};
template <>
struct Lanes<bool> {
  std::uint32_t bits;
  bool operator[](int lane) const { return ((bits >> lane) & 1) != 0; }
};

template <class T>
Lanes<T> open_lanes(const LaneState& state, Slot slot) {
  if constexpr (__is_same(T, bool)) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, state.at(slot), sizeof(bits));
    return {bits};
  } else {
    return {state.at(slot)};
  }
}

inline void store_lanes(const LaneState& state, Slot slot, const bool* values, std::uint32_t mask) {
  std::uint32_t bits = 0;
  for (int lane = 0; lane < kWarpLanes; ++lane)
    bits |= static_cast<std::uint32_t>(values[lane]) << lane;
  std::uint32_t old;
  __builtin_memcpy(&old, state.at(slot), sizeof(old));
  bits = (old & ~mask) | (bits & mask);
  __builtin_memcpy(state.at(slot), &bits, sizeof(bits));
}
template <class T>
void store_lanes(const LaneState& state, Slot slot, const T* values, std::uint32_t mask) {
  std::byte* target = state.at(slot);
  if (mask == kAllLanes) {
    __builtin_memcpy(target, values, sizeof(T) * kWarpLanes);
    return;
  }
  for (int lane = 0; lane < kWarpLanes; ++lane)
    if (((mask >> lane) & 1) != 0)
      __builtin_memcpy(target + static_cast<size_t>(lane) * sizeof(T), values + lane, sizeof(T));
}

template <class T>
constexpr OperandType operand_type() {
  if constexpr (__is_same(T, bool)) {
    return {RegisterClass::pred, ImmediateKind::integer};
  } else if constexpr (__is_same(T, float)) {
    return {RegisterClass::b32, ImmediateKind::f32};
  } else if constexpr (__is_same(T, double)) {
    return {RegisterClass::b64, ImmediateKind::f64};
  } else {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
    return {sizeof(T) == 2   ? RegisterClass::b16
            : sizeof(T) == 4 ? RegisterClass::b32
                             : RegisterClass::b64,
            ImmediateKind::integer};
  }
}

template <class F, class Result, class... Args>
struct LaneLoop {
  static void run(LaneState& state, const Instruction& instruction, std::uint32_t mask) {
    run_with(state, instruction, mask, std::make_index_sequence<sizeof...(Args)>());
  }
  template <size_t... I>
  static void run_with(LaneState& state, const Instruction& instruction, std::uint32_t mask,
                       std::index_sequence<I...>) {
    loop(state, instruction.dst, mask, open_lanes<Args>(state, instruction.src[I])...);
  }
  static void loop(LaneState& state, Slot dst, std::uint32_t mask, Lanes<Args>... sources) {
    alignas(64) Result results[kWarpLanes];
    for (int lane = 0; lane < kWarpLanes; ++lane) results[lane] = F{}(sources[lane]...);
    store_lanes(state, dst, results, mask);
  }
};

template <class F, class Result, class... Args>
LaneRow make_row(Result (F::*)(Args...) const) {
  LaneRow row;
  row.run = &LaneLoop<F, Result, Args...>::run;
  row.result = operand_type<Result>();
  row.source_count = sizeof...(Args);
  row.sources = {operand_type<Args>()...};
  return row;
}
/// A row from a function object without state: its parameter types are the operand types.
template <class F>
void add_row(OpcodeTable& table, std::string name, F) {
  table.add(std::move(name), make_row<F>(&F::operator()));
}
