// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/thread_team.hpp>
#include <apsis/engines/several_devices.hpp>
#include <apsis/io/byte_stream.hpp>
#include <apsis/io/state_parts.hpp>
#include <apsis/mpi/rank_engine.hpp>
#include <apsis/mpi/rank_part.hpp>
#include <apsis/mpi/work_state.hpp>
#include <apsis/solvers/bins/bins_grid.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <new>

namespace apsis::mpi {
namespace {

constexpr int state_tag = 20;

struct Failure {
  int code = 0;
  std::string what, remedy;
};

Failure failure_of(const std::exception_ptr& thrown) {
  if (!thrown) return {};
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return {static_cast<int>(error.code()), error.what(), error.remedy()};
  } catch (const std::bad_alloc&) {
    return {static_cast<int>(ExitCode::bad_data), "not enough memory",
            "use fewer bodies, or more or larger machines"};
  } catch (const std::exception& error) {
    return {static_cast<int>(ExitCode::internal_error), error.what(), "please report this"};
  }
}

Bytes encoded(const Failure& failure) {
  ByteWriter writer;
  writer.put(failure.code);
  writer.put_text(failure.what), writer.put_text(failure.remedy);
  return writer.take();
}

Failure decoded_failure(const Bytes& bytes) {
  ByteReader reader(bytes, "what failed");
  const int code = reader.take<int>();
  std::string what = reader.take_text();
  return {code, std::move(what), reader.take_text()};
}

}  // namespace

int threads_per_rank(const Communicator& ranks) {
  const int cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return std::min(default_threads(), std::max(1, cores / ranks.ranks_here()));
}

std::optional<Error> RankPart::obey(const Batch& batch, const EngineState* state) {
  apply(batch.operations);
  if (batch.question == Question::restore) {
    restore(batch.payload, state);
  } else {
    prepare_answer(batch);
  }
  if (auto failure = agreed_failure()) return failure;
  answer(batch.question);
  return std::nullopt;
}

// Computing is what is not messages.
void RankPart::apply(std::span<const Operation> operations) {
  if (operations.empty()) return;  // there may be no engine yet
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const double before = ranks_.traffic().seconds;
  engine_->apply(operations);
  computing_ += std::chrono::duration<double>(Clock::now() - begin).count() -
                (ranks_.traffic().seconds - before);
}

// Each rank for itself, with the messages of an evaluation at the most.
void RankPart::prepare_answer(const Batch& batch) {
  switch (batch.question) {
    case Question::energies:
      own_.energies = engine_->pair_energies();  // leaves the potentials behind
      if (several_ != nullptr) return;
      [[fallthrough]];
    case Question::store:
      return record_.guard([&] { engine_->store(own_.bodies), keep_own_bodies(); });
    case Question::accelerations:
      own_.accelerations = engine_->pair_accelerations();
      return keep_own_accelerations();
    case Question::finite:
      return record_.guard([&] { own_.finite = engine_->finite(); });
    case Question::save_state:
      return save_own_state();
    case Question::write_part:
      return write_part(batch);
    case Question::share_out:
      measured_shares(*several_);
      return take_blocks();
    case Question::kernel_seconds:
      return record_.guard([&] { own_.kernel_seconds = engine_->instruments().kernel_seconds(); });
    default:
      return;
  }
}

void RankPart::save_own_state() {
  record_.guard([&] {
    own_.state = engine_->save_state();
    if (counts_work_) add_work(record_.history, own_.state);
    if (several_ == nullptr) return;
    const int rank = ranks_.rank();
    own_.state = part_of_state(own_.state, blocks_.first(rank), blocks_.of(rank));
  });
}

// Bodies that lie along a curve go back to the user's order first, through rank 0.
void RankPart::write_part(const Batch& batch) {
  save_own_state();
  if (ordered_) {
    const auto states = gather_texts(encoded(own_.state));
    record_.guard([&] { join(states); });
    const Bytes slice = scatter(&answers_.state);
    record_.guard([&] { own_.state = decoded_state(slice); });
  }
  record_.guard([&] {
    const std::string folder(reinterpret_cast<const char*>(batch.payload.data()),
                             batch.payload.size());
    const auto part = static_cast<std::size_t>(ranks_.rank());
    own_.parts = {
        write_checkpoint_part(folder, batch.step, part, blocks_.counts.size(), own_.state)};
  });
  own_.state = {};
}

void RankPart::restore(std::span<const std::byte> payload, const EngineState* state) {
  const RankTask task = decoded_task(payload);
  several_ = nullptr, engine_.reset(), others_.reset();
  counts_work_ = false;
  order_ = {}, ordered_ = false;
  blocks_.counts = even_parts(task.bodies, static_cast<std::size_t>(ranks_.size()));
  if (task.settings.device.name != "cpu") return restore_on_devices(task, state);
  const Bytes own = scatter(state);
  record_.guard([&] {
    build_on_cpu(task.settings);
    const EngineState part = decoded_state(own);
    engine_->restore_state(part);
    record_.history = counts_work_ ? work_in(part) : WorkHistory{};
  });
}

Bytes RankPart::scatter(const EngineState* state) {
  std::vector<Bytes> slices(leads() ? blocks_.counts.size() : 0);
  std::vector<Transfer> transfers;
  record_.guard([&] {
    for (int r = 0; leads() && r < ranks_.size(); ++r) {
      slices[static_cast<std::size_t>(r)] =
          encoded(part_of_state(*state, blocks_.first(r), blocks_.of(r)));
    }
  });
  std::uint64_t size = leads() ? slices.front().size() : 0;
  for (int r = 1; leads() && r < ranks_.size(); ++r) {
    const Bytes& slice = slices[static_cast<std::size_t>(r)];
    const std::uint64_t length = slice.size();
    Transfer sent = ranks_.start_send(std::as_bytes(std::span(&length, 1)), r, state_tag);
    ranks_.wait(sent);
    transfers.push_back(ranks_.start_send(slice, r, state_tag));
  }
  Bytes own;
  if (leads()) {
    own = std::move(slices.front());
  } else {
    Transfer came = ranks_.start_receive(std::as_writable_bytes(std::span(&size, 1)), 0, state_tag);
    ranks_.wait(came);
    own.resize(size);
    transfers.push_back(ranks_.start_receive(own, 0, state_tag));
  }
  for (Transfer& transfer : transfers) ranks_.wait(transfer);
  return own;
}

void RankPart::build_on_cpu(EngineSettings settings) {
  const SolverInfo& solver = solver_named(settings.force.solver);
  if (settings.device.threads == 0) settings.device.threads = threads_per_rank(ranks_);
  // as many as for all bodies
  if (solver.takes_bins) settings.force.bins = with_number(settings.force.bins, blocks_.all());
  record_.potential_terms.clear();
  const bool once = settings.force.solver == "direct" && !settings.device.reproducible;
  const bool by_curve = solver.takes_accuracy || solver.takes_bins;
  counts_work_ = solver.takes_accuracy && !settings.device.reproducible && ranks_.size() > 1;
  const auto around = [this, once, by_curve]<class State>(SolverPointer<Host<State>> inner) {
    RankSolverParts<State> parts{ranks_, blocks_, std::move(inner), record_};
    if (counts_work_) return essential_of(std::move(parts));
    if (by_curve) return curve_of(std::move(parts));
    return once ? ring_of(std::move(parts)) : gathered_of(std::move(parts));
  };
  engine_ = build(plan_on_cpu(settings), SolverWrapper{around, around});
}

std::optional<Error> RankPart::agreed_failure() {
  const Failure own = failure_of(record_.failure);
  record_.failure = nullptr;
  const int worst = ranks_.largest(own.code);
  if (worst == 0) return std::nullopt;
  const auto texts = gather_texts(encoded(own));
  for (std::size_t r = 0; r < texts.size(); ++r) {
    const Failure failure = decoded_failure(texts[r]);
    if (failure.code == 0) continue;
    const std::string who = r == 0 ? std::string{} : fmt::format("rank {}: ", r);
    return Error(static_cast<ExitCode>(failure.code), who + failure.what, failure.remedy);
  }
  return Error(static_cast<ExitCode>(worst), "rank 0 speaks of it");  // elsewhere
}

template <class Values>
void RankPart::gather(const Values& own, Values& all) {
  std::vector<std::size_t> bytes = blocks_.counts;
  for (std::size_t& size : bytes) size *= sizeof(typename Values::value_type);
  all.resize(leads() ? blocks_.all() : 0);
  const auto sources = components_of(own);
  const auto targets = components_of(all);
  for (std::size_t k = 0; k < sources.size(); ++k) {
    ranks_.gather(std::as_bytes(sources[k]), bytes, std::as_writable_bytes(targets[k]));
  }
}

// Of any length; at rank 0.
std::vector<Bytes> RankPart::gather_texts(const Bytes& own) {
  const auto n = static_cast<std::size_t>(ranks_.size());
  const std::uint64_t length = own.size();
  std::vector<std::uint64_t> lengths(leads() ? n : 0);
  ranks_.gather(std::as_bytes(std::span(&length, 1)), std::vector(n, sizeof length),
                std::as_writable_bytes(std::span(lengths)));
  const std::vector<std::size_t> sizes(lengths.begin(), lengths.end());
  std::size_t sum = 0;
  for (const std::size_t size : sizes) sum += size;
  Bytes all(sum);
  ranks_.gather(own, sizes, all);
  std::vector<Bytes> out;
  auto at = all.begin();
  for (const std::size_t size : sizes) {
    out.emplace_back(at, at + static_cast<std::ptrdiff_t>(size));
    at += static_cast<std::ptrdiff_t>(size);
  }
  return out;
}

// A rank without bodies does not know which columns the others have.
void RankPart::gather_bodies() {
  Bodies& all = answers_.bodies;
  for_each_column(own_.bodies, all, [&](const auto& column, const auto& own, auto& into) {
    if (column.optional && ranks_.largest(own.empty() ? 0 : 1) == 0) return into.clear();
    gather(own, into);
  });
  if (leads()) order_.undo(all);
}

void RankPart::join(const std::vector<Bytes>& states) {
  std::vector<EngineState> parts;
  parts.reserve(states.size());
  for (const Bytes& state : states) parts.push_back(decoded_state(state));
  answers_.state = joined_state(parts);
  order_.undo(answers_.state);
}

// Signals of all ranks come with it, at no message more.
void RankPart::agree_on_finite() {
  constexpr int not_finite = 1024;  // above every signal
  const int signal = signal_ ? signal_() : 0;
  const int largest = ranks_.largest(own_.finite ? signal : not_finite);
  answers_.finite = largest < not_finite;
  answers_.signal = answers_.finite ? largest : 0;
}

void RankPart::gather_parts() {
  const CheckpointPart& own = own_.parts.front();
  ByteWriter writer;
  writer.put(own.bodies), writer.put_bytes(own.hash.bytes);
  answers_.parts.clear();
  for (const Bytes& text : gather_texts(writer.take())) {
    ByteReader reader(text, "a part");
    CheckpointPart part{reader.take<std::uint64_t>(), {}};
    const auto hash = reader.take_bytes(sizeof part.hash.bytes);
    std::copy(hash.begin(), hash.end(), part.hash.bytes.begin());
    answers_.parts.push_back(part);
  }
}

void RankPart::gather_kernel_seconds() {
  const double own = own_.kernel_seconds;
  std::vector<double> all(leads() ? blocks_.counts.size() : 0);
  ranks_.gather(std::as_bytes(std::span(&own, 1)), std::vector(blocks_.counts.size(), sizeof own),
                std::as_writable_bytes(std::span(all)));
  if (!all.empty()) answers_.kernel_seconds = *std::max_element(all.begin(), all.end());
}

void RankPart::gather_costs() {
  const Communicator::Traffic now = ranks_.traffic();
  const RankCost own{computing_, now.messages - told_.messages, now.bytes - told_.bytes,
                     now.meetings - told_.meetings};
  const auto n = static_cast<std::size_t>(ranks_.size());
  answers_.costs.resize(leads() ? n : 0);
  ranks_.gather(std::as_bytes(std::span(&own, 1)), std::vector(n, sizeof own),
                std::as_writable_bytes(std::span(answers_.costs)));
  computing_ = 0, told_ = ranks_.traffic();
}

void RankPart::answer(Question question) {
  switch (question) {
    case Question::energies:
      answers_.energies = own_.energies;
      if (several_ != nullptr) return;
      gather(record_.potential_terms, answers_.potential_terms);
      return gather_bodies();
    case Question::store:
      return gather_bodies();
    case Question::accelerations:
      gather(own_.accelerations, answers_.accelerations);
      if (leads()) order_.undo(answers_.accelerations);
      return;
    case Question::finite:
      return agree_on_finite();
    case Question::save_state:
      join(gather_texts(encoded(own_.state)));
      own_.state = {};
      return;
    case Question::write_part:
      return gather_parts();
    case Question::restore:
    case Question::share_out:
      return gather_resolutions();
    case Question::kernel_seconds:
      return gather_kernel_seconds();
    case Question::costs:
      return gather_costs();
    default:
      return;
  }
}

}  // namespace apsis::mpi
