// specialised/slab_place.cu: the slabs of this group, and which part of the tile passes through them.
//   needs: int kSlabBytes, kSlabCopies, kSlabOffset; int group, in_group, member; unsigned shared
//   needs: int slab_m_base(int), slab_n_base(int), slab_row_base(int)
//   gives: int slab_m_group, slab_n_group, slab_thread; unsigned group_slab
const unsigned group_slab = shared + kSlabOffset + group * kSlabCopies * kSlabBytes;
const int slab_thread = slab_row_base(in_group);
const int slab_m_group = slab_m_base(member), slab_n_group = slab_n_base(member);
