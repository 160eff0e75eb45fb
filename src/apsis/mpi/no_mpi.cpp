// SPDX-License-Identifier: MIT
// In the place of communicator.cpp where there is no MPI: nobody can be joined.
#include <apsis/core/error.hpp>
#include <apsis/mpi/communicator.hpp>

namespace apsis::mpi {

struct Transfer::Requests {};
Transfer::Transfer() = default;
Transfer::Transfer(Transfer&& other) noexcept = default;
Transfer& Transfer::operator=(Transfer&& other) noexcept = default;
Transfer::~Transfer() = default;

struct Communicator::Peers {};
struct Communicator::Group {};

Communicator::Communicator() {
  throw Error(ExitCode::unavailable, "this Apsis was built without MPI",
              "start it without mpirun, or build it where MPI is installed (libopenmpi-dev)");
}
Communicator::~Communicator() = default;

// Nobody ever has a communicator to call these on.
int Communicator::ranks_here() const { return 1; }
int Communicator::number_here() const { return 0; }
std::unique_ptr<Communicator> Communicator::first(int) { return nullptr; }
bool Communicator::speaks() const { return true; }
Transfer Communicator::start_send(std::span<const std::byte>, int, int) { return {}; }
Transfer Communicator::start_receive(std::span<std::byte>, int, int) { return {}; }
void Communicator::wait(Transfer&) {}
bool Communicator::over(Transfer&) { return true; }
void Communicator::progress() {}
void Communicator::broadcast(std::span<std::byte>) {}
int Communicator::largest(int value) { return value; }

std::string library_version() { return {}; }

}  // namespace apsis::mpi
