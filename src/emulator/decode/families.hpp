#pragma once
// What rows decode with, the functions of a file together; instruction_rows.cpp says which row has
// which.
#include "emulator/decode/decode.hpp"

namespace jute::emulator {

using DecodeFamily = void(Decoder& decoder, Opcode& opcode);

// decode_move.cpp
DecodeFamily decode_mov, decode_cvta, decode_isspacep, decode_cvt;

// decode_arithmetic.cpp
DecodeFamily decode_setp, decode_set, decode_lop3, decode_slct, decode_carry;

// decode_video.cpp
DecodeFamily decode_video;

// decode_memory.cpp
DecodeFamily decode_load, decode_store, decode_atomic, decode_fence, decode_createpolicy;

// decode_control.cpp
DecodeFamily decode_branch, decode_branch_table, decode_call;
/// No operand says anything beyond the row.
DecodeFamily decode_bare;
/// wait_group, wait_all: how many of the newest groups may stay on their way.
DecodeFamily decode_group_wait;
/// bar.warp.sync
DecodeFamily decode_meeting;
DecodeFamily decode_barrier, decode_grid_control, decode_nanosleep, decode_set_registers;

// decode_stack.cpp
DecodeFamily decode_alloca, decode_stack_save, decode_stack_restore;

// decode_collective.cpp
DecodeFamily decode_shuffle, decode_vote, decode_match, decode_reduce, decode_active_mask,
    decode_elect;

// decode_async.cpp
DecodeFamily decode_copy, decode_copy_arrive, decode_mbarrier, decode_pending_count;

// decode_bulk.cpp
DecodeFamily decode_bulk_load, decode_bulk_store, decode_bulk_reduce, decode_bulk_fetch,
    decode_async_store, decode_map_address, decode_get_rank, decode_cluster_barrier;

// decode_tensor_map.cpp
DecodeFamily decode_replace, decode_copy_of_map;

// decode_texture.cpp
DecodeFamily decode_texture_fetch, decode_surface_access, decode_texture_query;

// decode_wgmma.cpp
DecodeFamily decode_wgmma;

// decode_wmma.cpp
DecodeFamily decode_wmma_access, decode_wmma_product;

// decode_matrix.cpp
DecodeFamily decode_mma, decode_matrix_access, decode_move_matrix;

/// Refuses a fragment of more or fewer.
void require_registers(const Decoder& decoder, const PtxOperand& operand, int count);
/// `.add`, `.min`, … and the element type of atom, red and bulk reductions.
[[nodiscard]] AtomicUse::Operation take_operation(Decoder& decoder, Opcode& opcode);
[[nodiscard]] AtomicUse::Type take_atomic_type(Decoder& decoder, Opcode& opcode);

}  // namespace jute::emulator
