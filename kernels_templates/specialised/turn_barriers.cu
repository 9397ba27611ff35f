// specialised/turn_barriers.cu: those of teams that wait for their turn.
//   needs: int kTeamGroups, kTeams, kTurnOffset; unsigned shared; void init_barrier(unsigned, int)
#pragma unroll 1
for (int team = 0; team < kTeams; ++team) init_barrier(shared + kTurnOffset + 8 * team, kTeamGroups);
