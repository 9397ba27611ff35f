#pragma once
// The decoders of opcode families, one file each group; the list is in families.cpp.
#include "emulator/decode/decode.hpp"

namespace jute::emulator {

// decode_move.cpp
void decode_mov(Decoder& decoder, Opcode& opcode);
void decode_cvta(Decoder& decoder, Opcode& opcode);
void decode_isspacep(Decoder& decoder, Opcode& opcode);
void decode_cvt(Decoder& decoder, Opcode& opcode);

// decode_arithmetic.cpp
void decode_setp(Decoder& decoder, Opcode& opcode);
void decode_set(Decoder& decoder, Opcode& opcode);
void decode_slct(Decoder& decoder, Opcode& opcode);
void decode_carry(Decoder& decoder, Opcode& opcode);

// decode_memory.cpp
void decode_load(Decoder& decoder, Opcode& opcode);
void decode_store(Decoder& decoder, Opcode& opcode);
void decode_atomic(Decoder& decoder, Opcode& opcode);
void decode_hint(Decoder& decoder, Opcode& opcode);
void decode_fence(Decoder& decoder, Opcode& opcode);
void decode_createpolicy(Decoder& decoder, Opcode& opcode);

// decode_control.cpp
void decode_branch(Decoder& decoder, Opcode& opcode);
void decode_branch_table(Decoder& decoder, Opcode& opcode);
void decode_call(Decoder& decoder, Opcode& opcode);
void decode_return(Decoder& decoder, Opcode& opcode);
void decode_barrier(Decoder& decoder, Opcode& opcode);
void decode_trap(Decoder& decoder, Opcode& opcode);
void decode_nothing(Decoder& decoder, Opcode& opcode);
void decode_grid_control(Decoder& decoder, Opcode& opcode);
void decode_nanosleep(Decoder& decoder, Opcode& opcode);
void decode_set_registers(Decoder& decoder, Opcode& opcode);

// decode_stack.cpp
void decode_alloca(Decoder& decoder, Opcode& opcode);
void decode_stack_save(Decoder& decoder, Opcode& opcode);
void decode_stack_restore(Decoder& decoder, Opcode& opcode);

// decode_collective.cpp
void decode_shuffle(Decoder& decoder, Opcode& opcode);
void decode_vote(Decoder& decoder, Opcode& opcode);
void decode_match(Decoder& decoder, Opcode& opcode);
void decode_reduce(Decoder& decoder, Opcode& opcode);
void decode_active_mask(Decoder& decoder, Opcode& opcode);
void decode_elect(Decoder& decoder, Opcode& opcode);

// decode_async.cpp
void decode_copy(Decoder& decoder, Opcode& opcode);
void decode_mbarrier(Decoder& decoder, Opcode& opcode);

// decode_bulk.cpp
void decode_bulk(Decoder& decoder, Opcode& opcode);
void decode_bulk_reduce(Decoder& decoder, Opcode& opcode);
void decode_async_store(Decoder& decoder, Opcode& opcode);
void decode_map_address(Decoder& decoder, Opcode& opcode);
void decode_get_rank(Decoder& decoder, Opcode& opcode);
void decode_cluster_barrier(Decoder& decoder, Opcode& opcode);

// decode_tensor_map.cpp
void decode_tensor_map_change(Decoder& decoder, Opcode& opcode);

// decode_texture.cpp
void decode_texture_fetch(Decoder& decoder, Opcode& opcode);
void decode_surface_load(Decoder& decoder, Opcode& opcode);
void decode_surface_store(Decoder& decoder, Opcode& opcode);
void decode_texture_query(Decoder& decoder, Opcode& opcode);

// decode_wgmma.cpp
void decode_wgmma(Decoder& decoder, Opcode& opcode);

// decode_matrix.cpp
void decode_wmma(Decoder& decoder, Opcode& opcode);
void decode_mma(Decoder& decoder, Opcode& opcode);
void decode_load_matrix(Decoder& decoder, Opcode& opcode);
void decode_store_matrix(Decoder& decoder, Opcode& opcode);
void decode_move_matrix(Decoder& decoder, Opcode& opcode);

/// `.add`, `.min`, … and the element type of atom, red and bulk reductions.
[[nodiscard]] AtomicUse::Operation take_operation(Decoder& decoder, Opcode& opcode);
[[nodiscard]] AtomicUse::Type take_atomic_type(Decoder& decoder, Opcode& opcode);

}  // namespace jute::emulator
