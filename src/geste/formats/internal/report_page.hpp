#pragma once

#include <string>

namespace geste {

struct ReportData {
  std::string title;
  std::string result;   ///< the text of result.json
  std::string command;  ///< that does it again, from the folder of the report; may be empty
  std::string scene;    ///< scene pack
  std::string track;    ///< track pack; empty: nothing moves
  std::string swept;    ///< scene pack of the space that is passed through; may be empty
};

/// The page "report.html" with the data in it, as elements that its script reads.
std::string make_report_page(const ReportData& data);

}  // namespace geste
