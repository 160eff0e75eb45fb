// SPDX-License-Identifier: MIT
// Partners of one evaluation that are threads of this process: what ranks do, without MPI.
#pragma once

#include <apsis/solvers/tree/partners.hpp>

#include <algorithm>
#include <barrier>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace apsis::test {

class PartnersInThreads {
 public:
  explicit PartnersInThreads(std::size_t count)
      : count_(count), boxes_(count * count), well_(count), all_here_(static_cast<long>(count)) {}

  // work(partners) on a thread each; gives what each threw.
  std::vector<std::exception_ptr> run(const std::function<void(far::Partners&)>& work) {
    std::vector<std::exception_ptr> thrown(count_);
    std::vector<std::jthread> threads;
    for (std::size_t p = 0; p < count_; ++p) {
      threads.emplace_back([&, p] {
        One one(*this, p);
        try {
          work(one);
        } catch (...) {
          thrown[p] = std::current_exception();
        }
      });
    }
    threads.clear();
    return thrown;
  }

 private:
  class One final : public far::Partners {
   public:
    One(PartnersInThreads& all, std::size_t own) : all_(all), own_(own) {}
    std::size_t count() const override { return all_.count_; }
    std::size_t own() const override { return own_; }

   private:
    bool all_well(bool own_well) override {
      all_.well_[own_] = own_well ? 1 : 0;
      all_.all_here_.arrive_and_wait();
      const bool well = std::find(all_.well_.begin(), all_.well_.end(), 0) == all_.well_.end();
      all_.all_here_.arrive_and_wait();
      return well;
    }
    std::vector<Bytes> gathered(std::span<const std::byte> own_bytes) override {
      return exchanged(std::vector<Bytes>(count(), Bytes(own_bytes.begin(), own_bytes.end())),
                       own_);
    }
    std::vector<Bytes> exchanged(const std::vector<Bytes>& to) override {
      return exchanged(to, count());
    }
    // What would go to oneself is kept where it is `kept`.
    std::vector<Bytes> exchanged(const std::vector<Bytes>& to, std::size_t kept) {
      for (std::size_t p = 0; p < count(); ++p) all_.boxes_[own_ * count() + p] = to[p];
      all_.all_here_.arrive_and_wait();
      std::vector<Bytes> from(count());
      for (std::size_t p = 0; p < count(); ++p) {
        if (p != own_ || p == kept) from[p] = all_.boxes_[p * count() + own_];
      }
      all_.all_here_.arrive_and_wait();
      return from;
    }

    PartnersInThreads& all_;
    std::size_t own_;
  };

  std::size_t count_;
  std::vector<Bytes> boxes_;
  std::vector<int> well_;
  std::barrier<> all_here_;
};

}  // namespace apsis::test
