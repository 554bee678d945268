// Which odd entities a STEP file may hold, and which would take OpenCASCADE down.
#include <BRepPrimAPI_MakeBox.hxx>
#include <gtest/gtest.h>

#include <regex>

#include "geste/formats/step.hpp"

#include "formats/step_writing.hpp"

namespace geste {
namespace {

std::string write_box() { return testing::write_step(BRepPrimAPI_MakeBox(1, 2, 3)); }

/// The box with one more entity that nothing refers to.
std::string with_entity(const std::string& entity) {
  std::string bytes = write_box();
  bytes.insert(bytes.rfind("ENDSEC;"), "#9001=" + entity + ";\n");
  return bytes;
}

void expect_box(const std::string& bytes, const std::string& what) {
  const Result<StepFile> file = parse_step(bytes, "box.stp");
  ASSERT_TRUE(file) << what << ": " << to_text(file.error());
  ASSERT_EQ(file->solids.size(), 1u) << what;
  EXPECT_NEAR(file->solids[0].volume, 6, 1e-9) << what;
}

TEST(StepEntities, AByteOrderMarkIsRead) { expect_box("\xEF\xBB\xBF" + write_box(), "mark"); }

// Every name of one kind of entity becomes $, which the schema forbids and exporters write.
TEST(StepEntities, WithoutANameAreReadWithANote) {
  for (const std::string kind :
       {"CARTESIAN_POINT", "DIRECTION", "AXIS2_PLACEMENT_3D", "VECTOR", "LINE", "VERTEX_POINT",
        "EDGE_CURVE", "ORIENTED_EDGE", "EDGE_LOOP", "FACE_BOUND", "PLANE", "ADVANCED_FACE",
        "CLOSED_SHELL", "MANIFOLD_SOLID_BREP", "ADVANCED_BREP_SHAPE_REPRESENTATION",
        "PRODUCT_CONTEXT", "PRODUCT_DEFINITION_CONTEXT", "PRODUCT_DEFINITION_SHAPE"}) {
    const std::string whole = write_box();
    const std::string bytes =
        std::regex_replace(whole, std::regex("= ?" + kind + R"(\('[^']*')"), "=" + kind + "($");
    ASSERT_NE(bytes, whole) << kind;
    expect_box(bytes, kind);
    const Notes notes = parse_step(bytes, "box.stp")->asset.notes;
    EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const Note& n) {
      return n.code == "step.no_name";
    })) << kind;
  }
}

TEST(StepEntities, ThatCarryNoShapeMayBeBroken) {
  for (const char* entity :
       {"PERSON($,$,$,$,$,$)", "APPROVAL_STATUS($)", "CALENDAR_DATE($,1,1)", "DATE_AND_TIME($,$)",
        "LOCAL_TIME($,1,1.,$)", "ORGANIZATION($,$,$)", "SECURITY_CLASSIFICATION_LEVEL($)",
        "APPROVAL($,$)", "PERSON_AND_ORGANIZATION($,$)"}) {
    expect_box(with_entity(entity), entity);
  }
}

// OpenCASCADE by itself dereferences a null pointer here.
TEST(StepEntities, OfBrokenColoursLeaveThemOut) {
  std::string bytes = write_box();
  const std::size_t brep = bytes.find("MANIFOLD_SOLID_BREP"), begin = bytes.rfind('#', brep);
  const std::string solid = bytes.substr(begin, bytes.find_first_of(" =", begin) - begin);
  bytes.insert(
      bytes.rfind("ENDSEC;"),
      "#9001=DRAUGHTING_PRE_DEFINED_COLOUR($);\n"
      "#9002=FILL_AREA_STYLE_COLOUR('',#9001);\n#9003=FILL_AREA_STYLE('',(#9002));\n"
      "#9004=SURFACE_STYLE_FILL_AREA(#9003);\n#9005=SURFACE_SIDE_STYLE('',(#9004));\n"
      "#9006=SURFACE_STYLE_USAGE(.BOTH.,#9005);\n"
      "#9007=PRESENTATION_STYLE_ASSIGNMENT((#9006));\n"
      "#9008=STYLED_ITEM('',(#9007)," +
          solid +
          ");\n"
          "#9009=MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',(#9008),$);\n");
  expect_box(bytes, "colour without a name");
}

TEST(StepEntities, ThatShapesNeedMustBeWhole) {
  for (const char* entity :
       {"CARTESIAN_POINT('',$)", "CARTESIAN_POINT($,$)", "ADVANCED_FACE($,$,$,.T.)",
        "PRODUCT_DEFINITION('',$,$,$)", "LENGTH_MEASURE_WITH_UNIT($,$)"}) {
    const Result<StepFile> file = parse_step(with_entity(entity), "box.stp");
    ASSERT_FALSE(file) << entity;
    EXPECT_EQ(file.error().code, "step.entity") << entity;
  }
}

}  // namespace
}  // namespace geste
