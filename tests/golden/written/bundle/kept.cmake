# add_subdirectory-free: include(folder/kept.cmake) gives the library kept, whose users find the
# folder of its kernels as KEPT_FOLDER. Written by jute 0.1.0.
add_library(kept STATIC "${CMAKE_CURRENT_LIST_DIR}/kept.c")
target_include_directories(kept PUBLIC "${CMAKE_CURRENT_LIST_DIR}")
target_link_libraries(kept PUBLIC ${CMAKE_DL_LIBS})
target_compile_definitions(kept INTERFACE "KEPT_FOLDER=\"${CMAKE_CURRENT_LIST_DIR}\"")
set_target_properties(kept PROPERTIES C_STANDARD 99 POSITION_INDEPENDENT_CODE ON)
