#pragma once
// What rows decode with, one file each group; instruction_rows.cpp says which row has which.
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
void decode_lop3(Decoder& decoder, Opcode& opcode);
void decode_slct(Decoder& decoder, Opcode& opcode);
void decode_carry(Decoder& decoder, Opcode& opcode);

// decode_video.cpp
void decode_video(Decoder& decoder, Opcode& opcode);

// decode_memory.cpp
void decode_load(Decoder& decoder, Opcode& opcode);
void decode_store(Decoder& decoder, Opcode& opcode);
void decode_atomic(Decoder& decoder, Opcode& opcode);
void decode_fence(Decoder& decoder, Opcode& opcode);
void decode_createpolicy(Decoder& decoder, Opcode& opcode);

// decode_control.cpp
void decode_branch(Decoder& decoder, Opcode& opcode);
void decode_branch_table(Decoder& decoder, Opcode& opcode);
void decode_call(Decoder& decoder, Opcode& opcode);
/// No operand says anything beyond the row.
void decode_bare(Decoder& decoder, Opcode& opcode);
/// wait_group, wait_all: how many of the newest groups may stay on their way.
void decode_group_wait(Decoder& decoder, Opcode& opcode);
/// bar.warp.sync
void decode_meeting(Decoder& decoder, Opcode& opcode);
void decode_barrier(Decoder& decoder, Opcode& opcode);
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
void decode_copy_arrive(Decoder& decoder, Opcode& opcode);
void decode_mbarrier(Decoder& decoder, Opcode& opcode);
void decode_pending_count(Decoder& decoder, Opcode& opcode);

// decode_bulk.cpp
void decode_bulk_load(Decoder& decoder, Opcode& opcode);
void decode_bulk_store(Decoder& decoder, Opcode& opcode);
void decode_bulk_reduce(Decoder& decoder, Opcode& opcode);
void decode_async_store(Decoder& decoder, Opcode& opcode);
void decode_map_address(Decoder& decoder, Opcode& opcode);
void decode_get_rank(Decoder& decoder, Opcode& opcode);
void decode_cluster_barrier(Decoder& decoder, Opcode& opcode);

// decode_tensor_map.cpp
void decode_replace(Decoder& decoder, Opcode& opcode);
void decode_copy_of_map(Decoder& decoder, Opcode& opcode);

// decode_texture.cpp
void decode_texture_fetch(Decoder& decoder, Opcode& opcode);
void decode_surface_load(Decoder& decoder, Opcode& opcode);
void decode_surface_store(Decoder& decoder, Opcode& opcode);
void decode_texture_query(Decoder& decoder, Opcode& opcode);

// decode_wgmma.cpp
void decode_wgmma(Decoder& decoder, Opcode& opcode);

// decode_wmma.cpp
void decode_wmma_access(Decoder& decoder, Opcode& opcode);
void decode_wmma_product(Decoder& decoder, Opcode& opcode);

// decode_matrix.cpp
void decode_mma(Decoder& decoder, Opcode& opcode);
void decode_load_matrix(Decoder& decoder, Opcode& opcode);
void decode_store_matrix(Decoder& decoder, Opcode& opcode);
void decode_move_matrix(Decoder& decoder, Opcode& opcode);

/// `.add`, `.min`, … and the element type of atom, red and bulk reductions.
[[nodiscard]] AtomicUse::Operation take_operation(Decoder& decoder, Opcode& opcode);
[[nodiscard]] AtomicUse::Type take_atomic_type(Decoder& decoder, Opcode& opcode);

}  // namespace jute::emulator
