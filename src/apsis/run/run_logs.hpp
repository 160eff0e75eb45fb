// SPDX-License-Identifier: MIT
// Inside run/: the text files of a run that only grow. A checkpoint says where each ended, and a
// run that goes on from it cuts them back to there.
#pragma once

#include <apsis/io/checkpoint.hpp>
#include <apsis/run/run_folder.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace apsis {

class RunLogs {
 public:
  // `ends`: where the logs of a run that goes on ended; one that is not among them is new.
  explicit RunLogs(std::vector<LogOffset> ends) : ends_(std::move(ends)) {}

  // Log::create(path, more...) or Log::resume(path, offset, more...), for example an AppendLog or
  // an EnergyLog.
  template <class Log, class... More>
  std::shared_ptr<Log> open(const RunFolder& folder, const std::string& file, More... more) {
    const auto end = std::ranges::find(ends_, file, &LogOffset::file);
    const auto path = folder.file(file);
    auto log = std::make_shared<Log>(end == ends_.end() ? Log::create(path, more...)
                                                        : Log::resume(path, end->offset, more...));
    open_.push_back({file, [log] { log->sync(); }, [log] { return log->offset(); }});
    return log;
  }

  // Onto the disk, so that offsets in a checkpoint survive a power cut with it.
  void sync() const {
    for (const Opened& log : open_) log.sync();
  }
  std::vector<LogOffset> ends() const {
    std::vector<LogOffset> all;
    for (const Opened& log : open_) all.push_back({log.file, log.offset()});
    return all;
  }

 private:
  struct Opened {
    std::string file;
    std::function<void()> sync;
    std::function<std::uint64_t()> offset;
  };
  std::vector<LogOffset> ends_;
  std::vector<Opened> open_;
};

}  // namespace apsis
