# Ten CPU minutes of each libFuzzer program (label soak). clang builds them in a folder of their own.
set(fuzz_folder ${PROJECT_BINARY_DIR}/fuzz)
set(fuzz_build "fuzz: clang builds the libFuzzer programs")
set(launcher)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
add_test(NAME ${fuzz_build} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/build_fuzzers.sh ${fuzz_folder}
                                    -G ${CMAKE_GENERATOR} ${launcher})
set_tests_properties(${fuzz_build} PROPERTIES LABELS soak TIMEOUT 1800 FIXTURES_SETUP fuzzers)

# jute_fuzz_soak(NAME [SEED_FOLDER]… -- [LIBFUZZER_OPTION]…)
function(jute_fuzz_soak name)
  set(test "fuzz: ten CPU minutes of ${name} end without a finding")
  add_test(NAME ${test}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/run_fuzzer.sh
                   ${fuzz_folder}/tests/fuzz/fuzz_${name} 600 ${ARGN}
           WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/fuzz)
  set_tests_properties(${test} PROPERTIES LABELS soak TIMEOUT 3600 FIXTURES_REQUIRED fuzzers)
endfunction()

jute_fuzz_soak(text corpus_text -- -dict=text.dict -max_len=512)
jute_fuzz_soak(operations -- -max_len=512)
jute_fuzz_soak(epilogue corpus_epilogue -- -dict=epilogue.dict -max_len=512)
jute_fuzz_soak(calls -- -max_len=512)
jute_fuzz_soak(problem corpus_problem -- -dict=problem.dict -max_len=512)
jute_fuzz_soak(program ../../examples/programs -- -dict=program.dict -max_len=4096)
jute_fuzz_soak(ptx corpus_ptx -- -dict=ptx.dict -max_len=4096)
jute_fuzz_soak(launch corpus_launch -- -dict=launch.dict -max_len=4096)
jute_fuzz_soak(stored corpus_stored -- -dict=stored.dict -max_len=512)
jute_fuzz_soak(manifest corpus_manifest -- -dict=manifest.dict -max_len=16384)
