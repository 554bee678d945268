#pragma once

#include <cstddef>

#include "geste/formats/internal/dae_xml.hpp"

namespace geste {

/// Follows every <instance_node>: refuses references that lead nowhere, circles, chains of more
/// than a thousand nodes, and trees that unfold to far more nodes than the file's size justifies.
void check_dae_nodes(const tinyxml2::XMLElement& root, std::size_t file_bytes, DaeLog& log);

}  // namespace geste
