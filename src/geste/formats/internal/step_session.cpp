#include "geste/formats/internal/step_session.hpp"

#include <IFSelect_ReturnStatus.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_ProgressIndicator.hxx>
#include <STEPCAFControl_ExternFile.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <StepBasic_ConversionBasedUnitAndLengthUnit.hxx>
#include <StepData_StepModel.hxx>
#include <TColStd_SequenceOfAsciiString.hxx>
#include <TCollection_HAsciiString.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <istream>
#include <mutex>
#include <optional>
#include <streambuf>

#include "geste/core/text.hpp"
#include "geste/formats/internal/make_diagnostic.hpp"
#include "geste/formats/internal/step_entities.hpp"

namespace geste {
namespace {

/// Reads bytes in place.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view bytes) {
    char* begin = const_cast<char*>(bytes.data());  // the get area is never written
    setg(begin, begin, begin + bytes.size());
  }

 protected:
  pos_type seekoff(off_type offset, std::ios_base::seekdir from,
                   std::ios_base::openmode /*which*/) override {
    const off_type base = from == std::ios_base::beg   ? 0
                          : from == std::ios_base::cur ? gptr() - eback()
                                                       : egptr() - eback();
    const off_type target = base + offset;
    if (target < 0 || target > egptr() - eback()) return pos_type(off_type(-1));
    setg(eback(), eback() + target, egptr());
    return target;
  }
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override {
    return seekoff(position, std::ios_base::beg, which);
  }
};

/// Sets reader parameters that change what we get, and puts them back.
class ReaderSettings {
 public:
  ReaderSettings() {
    set("xstep.cascade.unit", "MM");
    set("read.step.product.mode", "1");    // take the assembly structure
    set("read.step.assembly.level", "1");  // all levels
    set("read.step.shape.repr", "1");      // every kind of shape representation
    set("read.step.nonmanifold", "0");
    set("read.precision.mode", "0");          // the file's own tolerance
    set("read.stepcaf.subshapes.name", "0");  // names of faces are not wanted
  }
  ~ReaderSettings() {
    for (auto old = old_.rbegin(); old != old_.rend(); ++old) {
      Interface_Static::SetCVal(old->first.c_str(), old->second.c_str());
    }
  }
  ReaderSettings(const ReaderSettings&) = delete;
  ReaderSettings& operator=(const ReaderSettings&) = delete;

 private:
  void set(const char* name, const char* value) {
    if (!Interface_Static::IsPresent(name)) return;
    const Standard_CString old = Interface_Static::CVal(name);
    if (old != nullptr) old_.emplace_back(name, old);
    Interface_Static::SetCVal(name, value);
  }
  std::vector<std::pair<std::string, std::string>> old_;
};

/// Takes the printers out of OpenCASCADE's messenger, and puts them back.
class Silence {
 public:
  Silence() : messenger_(Message::DefaultMessenger()), printers_(messenger_->Printers()) {
    messenger_->ChangePrinters().Clear();
  }
  ~Silence() { messenger_->ChangePrinters() = printers_; }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  Handle(Message_Messenger) messenger_;
  Message_SequenceOfPrinters printers_;
};

/// Asks the caller at most every few milliseconds whether to stop; once said, it stays said.
class CancelWatch : public Message_ProgressIndicator {
 public:
  explicit CancelWatch(const std::function<bool()>& cancelled) : cancelled_(cancelled) {}
  Standard_Boolean UserBreak() override {
    if (!stopped_ && cancelled_) stopped_ = cancelled_();
    return stopped_;
  }
  void Show(const Message_ProgressScope& /*scope*/, const Standard_Boolean /*force*/) override {}

 private:
  const std::function<bool()>& cancelled_;
  bool stopped_ = false;
};

std::timed_mutex& reader_mutex() {
  static std::timed_mutex mutex;
  return mutex;
}

/// Waits for the turn of this thread, but not for a caller who has gone away.
bool wait_for_turn(std::unique_lock<std::timed_mutex>& lock,
                   const std::function<bool()>& cancelled) {
  while (!lock.try_lock_for(std::chrono::milliseconds(50))) {
    if (cancelled && cancelled()) return false;
  }
  return true;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void read_units(STEPControl_Reader& reader, StepDocument& result) {
  TColStd_SequenceOfAsciiString lengths, angles, solid_angles;
  reader.FileUnits(lengths, angles, solid_angles);
  for (const TCollection_AsciiString& unit : lengths) {
    add_once(result.length_units, to_lower(unit.ToCString()));
  }
  const Handle(StepData_StepModel) model = reader.StepModel();
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const auto unit = Handle(StepBasic_ConversionBasedUnitAndLengthUnit)::DownCast(model->Value(i));
    if (unit.IsNull() || unit->Name().IsNull()) continue;
    const std::string name = to_lower(unit->Name()->ToCString());
    const auto& used = result.length_units;
    if (std::find(used.begin(), used.end(), name) == used.end()) {
      add_once(result.unused_units, name);
    }
  }
}

void note_missing_files(const STEPCAFControl_Reader& reader, const std::string& file_name,
                        StepDocument& result) {
  std::vector<std::string> missing;
  for (NCollection_DataMap<TCollection_AsciiString, Handle(STEPCAFControl_ExternFile)>::Iterator it(
           reader.ExternFiles());
       it.More(); it.Next()) {
    if (it.Value()->GetLoadStatus() != IFSelect_RetDone) missing.push_back(it.Key().ToCString());
  }
  std::sort(missing.begin(), missing.end());
  for (const std::string& name : missing) {
    result.notes.push_back(
        make_diagnostic(file_name, "step.external_file",
                        fmt::format("the assembly refers to '{}', which was not read", name),
                        "put that file beside this one, or export the assembly as one file"));
  }
}

/// What of the file is wanted: shapes, names and colours.
void choose_content(STEPCAFControl_Reader& reader) {
  reader.SetColorMode(Standard_True);
  reader.SetNameMode(Standard_True);
  reader.SetLayerMode(Standard_False);
  reader.SetPropsMode(Standard_False);
  reader.SetSHUOMode(Standard_False);
  reader.SetGDTMode(Standard_False);
  reader.SetMatMode(Standard_False);
  reader.SetViewMode(Standard_False);
}

/// The entities of the file, checked; nothing is made of them yet.
Result<void> read_entities(std::string_view bytes, const std::string& location,
                           const std::string& file_name, STEPCAFControl_Reader& reader,
                           StepDocument& result) {
  ViewBuffer buffer(bytes);
  std::istream stream(&buffer);
  if (reader.ChangeReader().ReadStream(location.c_str(), stream) != IFSelect_RetDone) {
    return make_diagnostic(file_name, "step.syntax", "the DATA section cannot be understood",
                           "export the model again, as AP214 or AP242");
  }
  EntityCheck check = check_step_entities(reader.ChangeReader().StepModel(), file_name);
  if (!check.faults.empty()) return make_error(std::move(check.faults));
  if (check.broken_colours) {
    reader.SetColorMode(Standard_False);
    result.notes.push_back(make_diagnostic(file_name, "step.colours_skipped",
                                           "the file's colours are broken and were left out", ""));
  }
  result.notes.insert(result.notes.end(), check.notes.begin(), check.notes.end());
  if (check.nameless > 0) {
    result.notes.push_back(make_diagnostic(
        file_name, "step.no_name",
        fmt::format("{} entities have no name or id, which STEP demands; it is taken as empty",
                    check.nameless),
        ""));
  }
  if (reader.NbRootsForTransfer() == 0) {
    return make_diagnostic(file_name, "step.no_shape",
                           "the file holds no part or assembly with a shape",
                           "export the model with its solids or surfaces");
  }
  return {};
}

}  // namespace

Diagnostic make_cancelled(const std::string& file_name) {
  return make_diagnostic(file_name, "step.cancelled", "reading was cancelled", "");
}

Result<void> guard_kernel(const std::string& file_name, const std::function<void()>& work) {
  std::string reason;
  try {
    work();
    return {};
  } catch (const Standard_Failure& failure) {
    reason = failure.GetMessageString();
    if (reason.empty()) reason = failure.DynamicType()->Name();
  } catch (const std::exception& failure) {
    reason = failure.what();
  }
  return make_diagnostic(file_name, "step.kernel",
                         fmt::format("OpenCASCADE gave up on the file ({})", reason),
                         "check and heal the model in a CAD system, then export it again");
}

Result<StepDocument> translate_step(std::string_view bytes, const std::string& file_name,
                                    const std::string& location,
                                    const std::function<bool()>& cancelled) {
  std::unique_lock lock(reader_mutex(), std::defer_lock);
  if (!wait_for_turn(lock, cancelled)) return make_cancelled(file_name);

  StepDocument result;
  Result<void> read;
  const Handle(CancelWatch) watch = new CancelWatch(cancelled);
  const Result<void> ran = guard_kernel(file_name, [&] {
    const Silence silence;
    STEPCAFControl_Reader reader;  // makes the parameters exist
    const ReaderSettings settings;
    choose_content(reader);
    read = read_entities(bytes, location, file_name, reader, result);
    if (!read) return;
    read_units(reader.ChangeReader(), result);
    result.document = new TDocStd_Document("geste");
    reader.Transfer(result.document, watch->Start());
    note_missing_files(reader, file_name, result);
  });
  if (watch->UserBreak()) return make_cancelled(file_name);
  if (!ran) return ran.error();
  if (!read) return read.error();
  return result;
}

}  // namespace geste
