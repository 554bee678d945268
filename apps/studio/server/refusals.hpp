#pragma once

#include <string>

namespace geste::studio {

/// Tells whoever runs the studio that something was refused: "refused a binary message". A few a
/// second; of more, how many there were, so that nobody fills a disk or a pipe from outside.
void log_refusal(const std::string& what);

}  // namespace geste::studio
