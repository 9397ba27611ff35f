# kernels_templates/**/*.cu as one generated C++ file, written anew when a template changes.

# jute_embed_templates(RESULT): the generated file's path, in RESULT.
function(jute_embed_templates result)
  set(root ${PROJECT_SOURCE_DIR}/kernels_templates)
  set(table ${PROJECT_BINARY_DIR}/generated/embedded_templates.cpp)
  file(GLOB_RECURSE templates CONFIGURE_DEPENDS ${root}/*.cu)
  add_executable(embed_templates ${PROJECT_SOURCE_DIR}/tools/embed_templates.cpp)
  jute_compile_options(embed_templates)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
  add_custom_command(
    OUTPUT ${table}
    COMMAND embed_templates ${table} ${root} ${templates}
    DEPENDS embed_templates ${templates}
    COMMENT "Embedding the kernel templates"
    VERBATIM)
  set(${result} ${table} PARENT_SCOPE)
endfunction()
