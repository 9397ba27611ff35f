// The main program of every test executable under Catch2 version 2.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
