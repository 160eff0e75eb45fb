// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/render/frame.hpp>
#include <apsis/render/png.hpp>
#include <apsis/run/pictures.hpp>

#include <fmt/format.h>

namespace apsis {

std::vector<std::string> write_pictures(const RunFolder& folder, const RunSpec& spec) {
  if (!pictures_available()) return {"no pictures: this build has no libpng"};
  const auto snapshots = folder.snapshots();
  if (snapshots.empty()) return {"no pictures: there are no snapshots"};
  const Bodies last = read_snapshot(snapshots.back()).bodies;
  const FrameStyle style;
  const Camera camera = framed(last, static_cast<double>(style.width) / style.height);
  const auto threads = static_cast<int>(spec.device.threads);
  write_atomically(folder.file("final.png"), encode_png(render(last, camera, style, threads)));
  return {};
}

}  // namespace apsis
