#pragma once

#include <Interface_Static.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <STEPControl_Writer.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_Shape.hxx>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>

#include "geste/core/files.hpp"

namespace geste::testing {

/// A folder of its own, gone at the end.
class Scratch {
 public:
  Scratch() {
    static std::atomic<int> number = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("geste_step_" + std::to_string(::getpid()) + "_" + std::to_string(number++));
    std::filesystem::create_directories(folder_);
  }
  ~Scratch() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::filesystem::path operator/(const char* name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

/// The bytes of a STEP file that OpenCASCADE writes for `shape`.
inline std::string write_step(const TopoDS_Shape& shape, const char* unit = "MM") {
  const Scratch folder;
  STEPControl_Writer writer;
  Interface_Static::SetCVal("write.step.unit", unit);
  writer.Transfer(shape, STEPControl_AsIs);
  writer.Write((folder / "out.stp").c_str());
  Interface_Static::SetCVal("write.step.unit", "MM");
  return *load_file(folder / "out.stp");
}

inline std::string write_step(const Handle(TDocStd_Document) & document) {
  const Scratch folder;
  STEPCAFControl_Writer writer;
  writer.Transfer(document);
  writer.Write((folder / "out.stp").c_str());
  return *load_file(folder / "out.stp");
}

}  // namespace geste::testing
