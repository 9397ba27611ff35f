# find_package(jute) gives jute::jute.
include(CMakePackageConfigHelpers)

install(TARGETS jute EXPORT jute_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/jute DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT jute_targets NAMESPACE jute:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jute)
configure_package_config_file(cmake/jute-config.cmake.in jute-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jute)
write_basic_package_version_file(jute-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/jute-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/jute-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jute)
