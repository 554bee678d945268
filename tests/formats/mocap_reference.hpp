#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "geste/core/text.hpp"

#include "testing.hpp"

namespace geste::testing {

/// A file of the motion capture collection.
inline std::filesystem::path mocap(const std::string& name) {
  return shared_data() / "mocap" / name;
}

/// Cells by column name.
using Row = std::map<std::string, std::string>;

inline std::vector<Row> load_csv(const std::filesystem::path& path) {
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::stringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    return cells;
  };
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = split(line);
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = split(line);
    Row row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[names.at(i)] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

inline double number(const Row& row, const std::string& name) {
  return parse_double(row.at(name)).value();
}

}  // namespace geste::testing
