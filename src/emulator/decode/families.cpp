// Which decoder an opcode's head belongs to, and which architecture brings what.
#include "emulator/decode/families.hpp"

#include <array>
#include <utility>

namespace jute::emulator {

Opcode::Opcode(std::string_view text) : text_(text) {
  std::string_view view = text_;
  const size_t dot = view.find('.');
  head_ = view.substr(0, dot);
  while (!view.empty() && dot != std::string_view::npos) {
    const size_t begin = view.find('.');
    if (begin == std::string_view::npos) break;
    view = view.substr(begin);
    const size_t end = view.find('.', 1);
    suffixes_.push_back(view.substr(0, end));
    if (end == std::string_view::npos) break;
    view = view.substr(end);
  }
}
bool Opcode::take(std::string_view suffix) {
  for (size_t i = 0; i < suffixes_.size(); ++i) {
    if (suffixes_[i] != suffix) continue;
    suffixes_.erase(suffixes_.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}
std::string_view Opcode::take_one_of(std::initializer_list<std::string_view> suffixes) {
  for (const std::string_view suffix : suffixes)
    if (take(suffix)) return suffix;
  return {};
}
bool Opcode::take_prefixed(std::string_view prefix) {
  const size_t before = suffixes_.size();
  std::erase_if(suffixes_, [&](std::string_view suffix) { return suffix.starts_with(prefix); });
  return suffixes_.size() != before;
}
std::optional<ElementType> Opcode::take_type() {
  ElementType type;
  if (suffixes_.empty() || !find_element_type(suffixes_.front(), type)) return std::nullopt;
  suffixes_.erase(suffixes_.begin());
  return type;
}
std::string_view Opcode::take_second_last() {
  if (suffixes_.size() < 2) return {};
  const std::string_view result = suffixes_[suffixes_.size() - 2];
  suffixes_.erase(suffixes_.end() - 2);
  return result;
}
bool Opcode::has_prefix(std::string_view prefix) const {
  for (const std::string_view each : suffixes_)
    if (each.starts_with(prefix)) return true;
  return false;
}
bool Opcode::has(std::string_view suffix) const {
  for (const std::string_view each : suffixes_)
    if (each == suffix) return true;
  return false;
}

std::optional<Scope> take_scope(Opcode& opcode) {
  const std::string_view scope = opcode.take_one_of({".cta", ".cluster", ".gpu", ".sys"});
  if (scope.empty()) return std::nullopt;
  return scope == ".cta" ? Scope::cta : scope == ".cluster" ? Scope::cluster : Scope::gpu;
}

namespace {
struct Family {
  std::string_view head;
  FamilyDecoder decoder;
};
constexpr Family kFamilies[] = {
    {"mov", &decode_mov},
    {"cvta", &decode_cvta},
    {"isspacep", &decode_isspacep},
    {"cvt", &decode_cvt},
    {"setp", &decode_setp},
    {"set", &decode_set},
    {"slct", &decode_slct},
    {"add", &decode_carry},
    {"addc", &decode_carry},
    {"sub", &decode_carry},
    {"subc", &decode_carry},
    {"mad", &decode_carry},
    {"madc", &decode_carry},
    {"ld", &decode_load},
    {"ldu", &decode_load},
    {"st", &decode_store},
    {"atom", &decode_atomic},
    {"red", &decode_atomic},
    {"prefetch", &decode_hint},
    {"prefetchu", &decode_hint},
    {"applypriority", &decode_hint},
    {"discard", &decode_hint},
    {"createpolicy", &decode_createpolicy},
    {"membar", &decode_fence},
    {"fence", &decode_fence},
    {"bra", &decode_branch},
    {"brx", &decode_branch_table},
    {"call", &decode_call},
    {"alloca", &decode_alloca},
    {"stacksave", &decode_stack_save},
    {"stackrestore", &decode_stack_restore},
    {"ret", &decode_return},
    {"exit", &decode_return},
    {"bar", &decode_barrier},
    {"barrier", &decode_barrier},
    {"trap", &decode_trap},
    {"brkpt", &decode_nothing},
    {"pmevent", &decode_nothing},
    {"setmaxnreg", &decode_set_registers},
    {"griddepcontrol", &decode_grid_control},
    {"nanosleep", &decode_nanosleep},
    {"shfl", &decode_shuffle},
    {"vote", &decode_vote},
    {"match", &decode_match},
    {"redux", &decode_reduce},
    {"activemask", &decode_active_mask},
    {"elect", &decode_elect},
    {"cp", &decode_copy},
    {"mbarrier", &decode_mbarrier},
    {"tensormap", &decode_tensor_map_change},
    {"tex", &decode_texture_fetch},
    {"suld", &decode_surface_load},
    {"sust", &decode_surface_store},
    {"txq", &decode_texture_query},
    {"suq", &decode_texture_query},
    {"mapa", &decode_map_address},
    {"getctarank", &decode_get_rank},
    {"wgmma", &decode_wgmma},
    {"mma", &decode_mma},
    {"wmma", &decode_wmma},
    {"ldmatrix", &decode_load_matrix},
    {"stmatrix", &decode_store_matrix},
    {"movmatrix", &decode_move_matrix},
    {"wait", &decode_nothing},
    {"nop", &decode_nothing},
};
}  // namespace

FamilyDecoder find_family(std::string_view head) {
  for (const auto& [name, decoder] : kFamilies)
    if (name == head) return decoder;
  return nullptr;
}

namespace {

/// An opcode that begins with `head` and holds `part` needs `arch`. The first row that fits counts.
struct Requirement {
  std::string_view head;
  std::string_view part;
  Arch arch;
};
// Source: PTX ISA, target ISA notes of each instruction.
constexpr std::array kRequirements{
    Requirement{"setmaxnreg", "", {90, 'a'}},
    Requirement{"wgmma", "", {90, 'a'}},
    Requirement{"cp.async.bulk", "", {90}},
    Requirement{"cp.reduce.async.bulk", "", {90}},
    Requirement{"cp.async", "", {80}},
    Requirement{"tensormap.replace", "", {90, 'a'}},
    Requirement{"tensormap.cp_fenceproxy", "", {90}},
    Requirement{"redux", "", {80}},
    Requirement{"elect", "", {90}},
    Requirement{"stmatrix", "", {90}},
    Requirement{"ldmatrix", "", {75}},
    Requirement{"movmatrix", "", {75}},
    Requirement{"griddepcontrol", "", {90}},
    Requirement{"mapa", "", {90}},
    Requirement{"getctarank", "", {90}},
    Requirement{"barrier.cluster", "", {90}},
    Requirement{"fence.proxy", "", {90}},
    Requirement{"fence.mbarrier_init", "", {90}},
    Requirement{"mbarrier.expect_tx", "", {90}},
    Requirement{"mbarrier.complete_tx", "", {90}},
    Requirement{"mbarrier.arrive", "expect_tx", {90}},
    Requirement{"mbarrier.try_wait", "", {90}},
    Requirement{"mbarrier", "", {80}},
    Requirement{"createpolicy", "", {80}},
    Requirement{"st.async", "", {90}},
    Requirement{"red.async", "", {90}},
    Requirement{"cvt", "e4m3", {89}},
    Requirement{"cvt", "e5m2", {89}},
    Requirement{"cvt.f32.bf16", "", {80}},
    Requirement{"cvt.rn.bf16", "", {80}},
    Requirement{"cvt", "bf16", {90}},
    Requirement{"cvt.rn.tf32", "", {90}},
    Requirement{"cvt.rz.tf32", "", {90}},
    Requirement{"cvt", "tf32", {80}},
    Requirement{"cvt", ".f16x2.f32", {80}},
    Requirement{"fma", "bf16", {80}},
    Requirement{"fma", "relu", {80}},
    Requirement{"add", "bf16", {90}},
    Requirement{"sub", "bf16", {90}},
    Requirement{"mul", "bf16", {90}},
    Requirement{"min", "16", {80}},
    Requirement{"min", ".NaN", {80}},
    Requirement{"max", ".NaN", {80}},
    Requirement{"wmma", ".f64", {80}},
    Requirement{"wmma", "bf16", {80}},
    Requirement{"wmma", "tf32", {80}},
    Requirement{"wmma", ".m8n8k", {75}},
    Requirement{"wmma", "8", {72}},
    Requirement{"wmma", "", {70}},
    Requirement{"mma", "e4m3", {89}},
    Requirement{"mma", "e5m2", {89}},
    Requirement{"mma", "bf16", {80}},
    Requirement{"mma", "tf32", {80}},
    Requirement{"mma", "m8n8k4.row.col.f64", {80}},
    Requirement{"mma", ".f64", {90}},
    Requirement{"mma", "m8n8k128", {75}},
    Requirement{"mma", "m8n8k4", {70}},
    Requirement{"mma", "m16n8k8", {75}},
    Requirement{"mma", "m8n8k16", {75}},
    Requirement{"mma", "m8n8k32", {75}},
    Requirement{"mma", "", {80}},
};

}  // namespace

Arch required_arch(std::string_view opcode) {
  for (const auto& [head, part, arch] : kRequirements) {
    if (!opcode.starts_with(head)) continue;
    if (opcode.size() > head.size() && opcode[head.size()] != '.') continue;
    if (opcode.find(part) != std::string_view::npos) return arch;
  }
  return {};
}

}  // namespace jute::emulator
