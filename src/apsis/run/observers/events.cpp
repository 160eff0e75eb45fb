// SPDX-License-Identifier: MIT
// events.csv, what events amount to, and a contact that ends a run.
#include <apsis/core/typed_command.hpp>
#include <apsis/io/event_log.hpp>
#include <apsis/run/run_observers.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {
namespace {

void end_by_contact(ObservedRun& run, const BodyEvent& contact) {
  run.ending.by = EndedBy::contact;
  run.ending.message = fmt::format(
      "bodies {} and {} touch at t = {:.10g}, at a speed of {:.3g}; go on with --resume "
      "{} --set contacts.on=bounce, or merge, soft or none",
      contact.a, *contact.b, contact.time, contact.approach,
      shell_word(run.folder.path().string()));
}

bool is_stop(const BodyEvent& body) { return body.kind == name_of(OnContact::stop); }

// A contact that ends the run is listed after its checkpoint: the run goes on from before it, and
// lists what then became of it in its place.
void note_stop(ObservedRun& run, EventLog* log, const Frame& frame, const Event& event) {
  keep_state(run, frame);
  for (const BodyEvent& body : event.bodies) {
    if (log != nullptr) log->append({event.step, body});
    if (is_stop(body)) end_by_contact(run, body);
  }
}

void note_events(ObservedRun& run, EventLog* log, const Frame& frame) {
  for (const Event& event : frame.events()) {
    if (std::ranges::any_of(event.bodies, is_stop)) {
      note_stop(run, log, frame, event);
      continue;
    }
    for (const BodyEvent& body : event.bodies) {
      if (log != nullptr) log->append({event.step, body});
    }
    run.record.events.add(event);
  }
  if (log != nullptr) log->flush();
}

}  // namespace

RunObserver event_observer() {
  return {.files = {"events.csv"}, .make = [](ObservedRun& run) -> Observer {
            std::shared_ptr<EventLog> log;
            const bool wanted = run.spec().output.events.value_or(true);
            if (run.has_events() && wanted) {
              log = run.logs.open<EventLog>(run.folder, "events.csv");
            }
            return {
                .name = "events", .when = AtEvents{}, .observe = [&run, log](const Frame& frame) {
                  note_events(run, log.get(), frame);
                }};
          }};
}

}  // namespace apsis
