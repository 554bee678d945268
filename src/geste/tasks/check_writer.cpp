#include "geste/tasks/internal/check_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "geste/core/quantity.hpp"

namespace geste::internal {
namespace {

/// "arm/link5", and the geometry where it has a name of its own.
std::string name_object(const Scene& scene, const CollisionModel& model, int object) {
  const CollisionObject& o = model.objects()[static_cast<std::size_t>(object)];
  const std::string& body = scene.body(o.body).name;
  const std::string& geometry = scene.geometry()[static_cast<std::size_t>(o.geometry)].name;
  std::string name = geometry == body ? body : fmt::format("{} ({})", body, geometry);
  if (o.pieces > 1) name += fmt::format(" [piece {} of {}]", o.piece + 1, o.pieces);
  return name;
}

Facts point_to_facts(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

std::string count(std::size_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

/// "3.2 mm deep", "touching", "2 mm apart, margin 5 mm".
std::string describe_gap(ClashKind kind, const Separation& s, double margin, double deflection) {
  const double distance = s.distance;
  std::string text;
  if (kind == ClashKind::clash) {
    text = format_length(-distance) + " deep";
    constexpr double kVisible = 2e-6;
    if (s.error > std::max(0.01 * -distance, kVisible))
      text += fmt::format(" (or up to {})", format_length(s.error - distance));
    if (-distance <= deflection)
      text +=
          fmt::format(", within the {} that the triangles may be off", format_length(deflection));
  } else if (kind == ClashKind::crossing) {
    text = "surfaces cross; open meshes have no inside and no depth";
  } else if (kind == ClashKind::touch) {
    text = "touching";
  } else {
    text = format_length(distance) + " apart";
  }
  if (margin > 0) text += fmt::format(", margin {}", format_length(margin));
  return text;
}

/// "2 pairs clash, 1 pair touches".
std::string count_kind(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", count(n, "pair"), n == 1 ? one : many);
}

class CheckWriter {
 public:
  CheckWriter(const Scene& scene, const CollisionModel& model, const CheckOptions& options)
      : scene_(scene), model_(model), options_(options) {}

  CheckReport write(const std::string& file, const CheckFindings& findings) {
    const StaticClashes& clashes = findings.clashes;
    const auto hits = [&](const StaticClash& c) { return collides(model_, c); };
    const auto colliding =
        static_cast<std::size_t>(std::count_if(clashes.pairs.begin(), clashes.pairs.end(), hits));
    report_.checked = clashes.checked;
    report_.free = clashes.checked > 0 && colliding == 0;
    facts_["file"] = file;
    facts_["state"] = options_.state;
    facts_["free"] = clashes.checked > 0 ? Facts(report_.free) : Facts(nullptr);
    facts_["checked_pairs"] = clashes.checked;
    facts_["tolerance_m"] = options_.tolerance;
    facts_["resolution_m"] = options_.resolution;
    line("{}, state {}: {}", file, options_.state, summarise(clashes, colliding));
    write_pairs(clashes.pairs);
    write_nearest(clashes, findings.nearest);
    write_surveys();
    write_rules(clashes.checked);
    if (options_.list_dropped) write_never(findings.never);
    report_.json = facts_.dump(2) + "\n";
    return std::move(report_);
  }

 private:
  template <class... T>
  void line(fmt::format_string<T...> form, T&&... values) {
    report_.text += fmt::format(form, std::forward<T>(values)...) + "\n";
  }

  static std::size_t count_of(const StaticClashes& clashes, ClashKind kind) {
    return static_cast<std::size_t>(
        std::count_if(clashes.pairs.begin(), clashes.pairs.end(),
                      [&](const StaticClash& c) { return c.kind == kind; }));
  }

  std::string summarise(const StaticClashes& clashes, std::size_t colliding) const {
    if (clashes.checked == 0) return "nothing was checked, so nothing is known to be free";
    if (!model_.checks_fixed())
      return colliding == 0 ? "free of collisions" : count_kind(colliding, "collides", "collide");
    std::string text = colliding == 0 ? "no clash" : count_kind(colliding, "clashes", "clash");
    const std::size_t touch = count_of(clashes, ClashKind::touch);
    const std::size_t near = count_of(clashes, ClashKind::near);
    if (touch > 0) text += ", " + count_kind(touch, "touches", "touch");
    if (near > 0)
      text += fmt::format(", {} within {}", count_kind(near, "comes", "come"),
                          format_length(options_.tolerance));
    return text;
  }

  /// The worst first. People see all that collide; of what merely touches some, JSON has the rest.
  void write_pairs(const std::vector<StaticClash>& pairs) {
    constexpr std::size_t kMostShown = 20, kMostColliding = 200;
    facts_["colliding"] = Facts::array();
    facts_["pairs"] = Facts::array();
    std::map<std::pair<bool, ClashKind>, std::size_t> shown;
    std::size_t left = 0;
    for (const StaticClash& c : pairs) {
      Facts facts = clash_to_facts(scene_, model_, c);
      const bool hits = collides(model_, c);
      if (hits) facts_["colliding"].push_back(facts);
      facts_["pairs"].push_back(std::move(facts));
      if (++shown[{hits, c.kind}] > (hits ? kMostColliding : kMostShown)) {
        ++left;
        continue;
      }
      write_pair(c.object_a, c.object_b,
                 describe_gap(c.kind, c.separation, model_.margin(c.a, c.b), c.deflection),
                 c.point());
    }
    if (left > 0) line("  and {} more (--json lists them all)", left);
  }

  void write_pair(int a, int b, const std::string& how, const Vec3& at) {
    line("  {} - {}: {}, at {:.4f} {:.4f} {:.4f} m", name_object(scene_, model_, a),
         name_object(scene_, model_, b), how, at.x(), at.y(), at.z());
  }

  void write_nearest(const StaticClashes& clashes, const std::optional<PairClearance>& nearest) {
    facts_["nearest"] = nullptr;
    if (!clashes.pairs.empty()) {
      facts_["nearest"] = clash_to_facts(scene_, model_, clashes.pairs.front());
    } else if (nearest) {
      const StaticClash pair{nearest->a,        nearest->b,      nearest->object_a,
                             nearest->object_b, ClashKind::near, nearest->separation};
      facts_["nearest"] = clash_to_facts(scene_, model_, pair);
      line("nearest:");
      write_pair(pair.object_a, pair.object_b,
                 describe_gap(pair.kind, pair.separation, nearest->margin, 0), pair.point());
    }
  }

  void write_surveys() {
    facts_["surveys"] = Facts::array();
    for (const Survey& s : model_.surveys()) {
      const std::string& actor = scene_.actor(s.actor).name;
      facts_["surveys"].push_back({{"actor", actor},
                                   {"samples", s.samples},
                                   {"adjacent", s.adjacent},
                                   {"always", s.always},
                                   {"never", s.never},
                                   {"sometimes", s.sometimes},
                                   {"confidence", s.confidence},
                                   {"share", s.share}});
      line(
          "{} has no list of allowed pairs: of its own, in {} random configurations, {} touched "
          "always, {} at times, {} never",
          actor, s.samples, s.always, s.sometimes, s.never);
      if (s.always > 0)
        line("  with {:g} % confidence those are apart in less than {:.2g} % of all configurations",
             100 * s.confidence, 100 * s.share);
    }
  }

  /// Pairs of bodies with collision geometry, whatever is done about them.
  [[nodiscard]] std::size_t count_all_pairs() const {
    std::size_t bodies = 0;
    BodyId last;
    for (const CollisionObject& o : model_.objects()) {
      bodies += o.body != last ? 1 : 0;
      last = o.body;
    }
    return bodies < 2 ? 0 : bodies * (bodies - 1) / 2;
  }

  void write_rules(std::size_t checked) {
    std::map<PairRule, std::vector<RuledPair>> by_rule;
    const std::vector<RuledPair> ruled = model_.list_pairs();
    for (const RuledPair& p : ruled) {
      if (p.rule != PairRule::checked) by_rule[p.rule].push_back(p);
    }
    std::string left_out;
    Facts dropped = Facts::object();
    for (const auto& [rule, pairs] : by_rule) {
      left_out += fmt::format("{}{} {}", left_out.empty() ? "" : ", ", pairs.size(), to_text(rule));
      Facts names = Facts::array();
      for (const RuledPair& p : pairs) names.push_back({name(p.a), name(p.b)});
      dropped[to_text(rule)] = std::move(names);
    }
    facts_["left_out"] = std::move(dropped);
    const std::size_t fixed = model_.checks_fixed() ? 0 : count_all_pairs() - ruled.size();
    facts_["fixed_pairs_left_out"] = fixed;
    if (fixed > 0)
      left_out +=
          fmt::format("{}{} fixed to each other (--fixed)", left_out.empty() ? "" : ", ", fixed);
    line("{} checked{}", count(checked, "pair"),
         left_out.empty() ? "" : fmt::format("; left out: {}", left_out));
    for (const auto& [rule, pairs] : by_rule) {
      if (!options_.list_dropped) break;
      for (const RuledPair& p : pairs) line("  {} - {}: {}", name(p.a), name(p.b), to_text(rule));
    }
  }

  void write_never(const std::vector<std::pair<BodyId, BodyId>>& never) {
    Facts names = Facts::array();
    for (const auto& [a, b] : never) {
      names.push_back({name(a), name(b)});
      line("  {} - {}: never, proven for all joint values, not checked along motions", name(a),
           name(b));
    }
    facts_["never_colliding"] = std::move(names);
  }

  [[nodiscard]] const std::string& name(BodyId body) const { return scene_.body(body).name; }

  const Scene& scene_;
  const CollisionModel& model_;
  const CheckOptions& options_;
  Facts facts_ = Facts::object();
  CheckReport report_;
};

}  // namespace

bool collides(const CollisionModel& model, const StaticClash& c) {
  if (c.kind == ClashKind::clash || c.kind == ClashKind::crossing) return true;
  const auto carrier = [&](int object) {
    return model.rigid_mover(model.objects()[static_cast<std::size_t>(object)].mover);
  };
  if (carrier(c.object_a) == carrier(c.object_b)) return false;
  return c.separation.distance <= 0 || c.separation.distance < model.margin(c.a, c.b);
}

Facts clash_to_facts(const Scene& scene, const CollisionModel& model, const StaticClash& c) {
  const Separation& s = c.separation;
  return {{"a", scene.body(c.a).name},
          {"b", scene.body(c.b).name},
          {"object_a", name_object(scene, model, c.object_a)},
          {"object_b", name_object(scene, model, c.object_b)},
          {"kind", to_text(c.kind)},
          {"clearance_m", s.distance},
          {"depth_m", c.kind == ClashKind::crossing ? Facts(nullptr) : Facts(c.depth())},
          {"error_m", s.error},
          {"deflection_m", c.deflection},
          {"margin_m", model.margin(c.a, c.b)},
          {"point", point_to_facts(c.point())},
          {"normal", point_to_facts(s.normal)}};
}

CheckReport write_check_report(const Scene& scene, const CollisionModel& model,
                               const std::string& file, const CheckOptions& options,
                               const CheckFindings& findings) {
  return CheckWriter(scene, model, options).write(file, findings);
}

}  // namespace geste::internal
