#include "platform/traffic/load_run.hpp"

#include "platform/core/bytes.hpp"

namespace sanvp::traffic {

std::string LoadRun::to_bytes() const {
  ByteWriter writer;
  writer.put(static_cast<const SummaryNumbers&>(summary));
  writer.put(summary.load);
  writer.put(summary.classes.size());
  for (const ClassSummary& one : summary.classes) {
    writer.put(static_cast<const ClassNumbers&>(one));
    writer.put(one.name);
  }
  writer.put(tables.size());
  for (const auto& [name, csv] : tables) {
    writer.put(name);
    writer.put(csv);
  }
  writer.put(ended);
  writer.put(deadlock);
  return writer.bytes();
}

LoadRun LoadRun::from_bytes(const std::string& bytes) {
  ByteReader reader(bytes);
  LoadRun run;
  reader.take(static_cast<SummaryNumbers&>(run.summary));
  reader.take(run.summary.load);
  std::size_t classes = 0;
  reader.take(classes);
  for (std::size_t i = 0; i < classes; ++i) {
    ClassSummary& one = run.summary.classes.emplace_back();
    reader.take(static_cast<ClassNumbers&>(one));
    reader.take(one.name);
  }
  std::size_t tables = 0;
  reader.take(tables);
  for (std::size_t i = 0; i < tables; ++i) {
    std::string name;
    reader.take(name);
    reader.take(run.tables[name]);
  }
  reader.take(run.ended);
  reader.take(run.deadlock);
  return run;
}

}  // namespace sanvp::traffic
