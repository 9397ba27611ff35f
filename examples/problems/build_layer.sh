#!/bin/sh
# Compiles the kernels of model.problems into a layer, on a machine that may be without a GPU.
set -e
export JUTE_CACHE_DIR=$PWD/built
jute cache warm model.problems --arch sm_90a --device cuda
jute cache pack -o layer --problems model.problems
