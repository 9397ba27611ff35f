// Names of nvcc's own first include, which programs use without including anything.
#pragma once
#include <limits.h>
#include <math.h>
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned short ushort;
namespace std {}
