// Looks the (thread, value) layouts of copies, fragments and stores up in the tiles' memory.
#include "plan/addresses.hpp"

#include <utility>

#include <jute/plan/fragment.hpp>
#include "base/format.hpp"
#include "plan/matrix_read.hpp"
#include "plan/smem_rules.hpp"
#include "plan/store_order.hpp"

namespace jute::plan {
namespace {

/// False, and an empty address, where there is none.
bool set(Address& address, const ComposedLayout& memory, const Layout& tv) {
  std::optional<Address> found = try_address_of(memory, tv);
  address = found ? *std::move(found) : Address();
  return found.has_value();
}

/// Row and column of what (thread, value) names in a column-major tile.
bool set_coordinates(Address& row, Address& column, const Layout& tv, int rows, int columns) {
  const IntTuple tile{rows, columns};
  return set(row, Layout(tile, IntTuple{1, 0}), tv) &&
         set(column, Layout(tile, IntTuple{0, 1}), tv);
}

/// What threads look up to read fragments: values, or the rows of matrix loads.
std::optional<Layout> read_tv(const OperandPlan& operand, const Fragment& fragment) {
  if (!operand.read_atom) return fragment.tv;
  std::optional<MatrixRead> read =
      matrix_read(*operand.read_atom, fragment, operand.smem, operand.type);
  if (!read) return std::nullopt;
  return std::move(read->rows);
}

bool set_operand(OperandPlan& operand, const Fragment& fragment, int tile_mn, int tile_k) {
  const std::optional<Layout> read = read_tv(operand, fragment);
  const bool is_read = read && set(operand.read, operand.smem, *read);
  return set_coordinates(operand.copy_mn, operand.copy_k, operand.copy_tv, tile_mn, tile_k) &&
         set(operand.store, operand.smem, operand.copy_tv) && is_read;
}

bool set_epilogue(EpiloguePlan& out, const Fragment& c, const TileShape& tile) {
  StoreOrder order = store_order(c, tile);
  out.order = std::move(order.accumulator);
  if (out.store == Store::direct) return set_coordinates(out.m, out.n, order.tv, tile.m, tile.n);
  return set_coordinates(out.m, out.n, out.row_tv, tile.m, tile.n) &&
         set(out.stage_write, out.stage, order.tv) && set(out.stage_read, out.stage, out.row_tv);
}

constexpr const char* kCutEvenly =
    "the modes of the layout must be cut evenly where the copies of a thread begin, and the values "
    "that it multiplies";
constexpr const char* kOfLayouts = "the addresses of a plan must be those of its layouts";

}  // namespace

void set_addresses(GemmStep& step) {
  set_operand(step.a, fragment(step.mma, Operand::a, step.tile), step.tile.m, step.tile.k);
  set_operand(step.b, fragment(step.mma, Operand::b, step.tile), step.tile.n, step.tile.k);
  set_epilogue(step.epilogue, fragment(step.mma, Operand::c, step.tile), step.tile);
}

Errors address_rules(const GemmStep& step) {
  Errors errors;
  const auto judge = [&](const char* operand, const auto& part, const std::string& layout,
                         const std::optional<std::string>& nearest, auto&& set_part) {
    auto expected = part;
    if (!set_part(expected))
      errors.push_back(broken(operand, layout, kCutEvenly, nearest));
    else if (!(expected == part))
      errors.push_back(broken(base::format("{}.address", operand), layout, kOfLayouts));
  };
  const TileShape& tile = step.tile;
  judge("smem_a", step.a, to_string(step.a.smem),
        to_string(compact_layout(tile.m, tile.k, step.a.major)), [&](OperandPlan& a) {
          return set_operand(a, fragment(step.mma, Operand::a, tile), tile.m, tile.k);
        });
  judge("smem_b", step.b, to_string(step.b.smem),
        to_string(compact_layout(tile.n, tile.k, step.b.major)), [&](OperandPlan& b) {
          return set_operand(b, fragment(step.mma, Operand::b, tile), tile.n, tile.k);
        });
  judge("permutation", step.epilogue, to_string(step.mma.permutation()), "(_,_,_)",
        [&](EpiloguePlan& out) {
          return set_epilogue(out, fragment(step.mma, Operand::c, tile), tile);
        });
  return errors;
}

}  // namespace jute::plan
