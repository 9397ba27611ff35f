# Folders of text as generated C++ files, written anew when a text changes.

add_executable(embed_templates ${PROJECT_SOURCE_DIR}/tools/embed_templates.cpp)
jute_compile_options(embed_templates)

# jute_embed(RESULT LAYER TYPE TABLE FOLDER FILE…): the generated file's path, in RESULT. It defines
# `std::span<const TYPE> TABLE()`, which LAYER/TABLE.hpp declares.
function(jute_embed result layer type table folder)
  set(output ${PROJECT_BINARY_DIR}/generated/${table}.cpp)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
  add_custom_command(
    OUTPUT ${output}
    COMMAND embed_templates ${output} ${layer} ${type} ${table} ${folder} ${ARGN}
    DEPENDS embed_templates ${ARGN}
    COMMENT "Embedding ${table}"
    VERBATIM)
  set(${result} ${output} PARENT_SCOPE)
endfunction()

set(folder ${PROJECT_SOURCE_DIR}/kernels_templates)
file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*.cu)
jute_embed(generated_emit emit EmbeddedTemplate embedded_templates ${folder} ${files})

set(folder ${PROJECT_SOURCE_DIR}/src/bundle/launcher)
file(GLOB files CONFIGURE_DEPENDS ${folder}/*.in)
jute_embed(generated_bundle bundle EmbeddedFile embedded_launcher ${folder} ${files})

set(folder ${PROJECT_SOURCE_DIR}/src/jit/host_headers)
file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*)
list(REMOVE_ITEM files ${folder}/README.md)
jute_embed(generated_jit jit EmbeddedHeader embedded_headers ${folder} ${files})
