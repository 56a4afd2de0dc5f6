#pragma once

#include "../../../csrc/release/Version.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>

#include <string>
#include <utility>

namespace at::cuda::backend::distributed {

/// Keys of one attempt in a store that outlives the processes of the attempt.
///
/// A PrefixStore would not do: the process group writes signals for all groups (a failed rank) to the
/// store below all PrefixStores, and would read the signals of the attempt before.
class AttemptStore : public c10d::Store {
 public:
  AttemptStore(const c10::intrusive_ptr<c10d::Store>& store, const std::string& attempt)
      : Store(store->getTimeout()),
        attempt_(attempt),
        keys_(c10::make_intrusive<c10d::PrefixStore>(attempt, store)) {}

  using Store::compareSet;
  using Store::set;
  using Bytes = std::vector<uint8_t>;
  using Names = std::vector<std::string>;

#if BACKEND_TORCH_AT_LEAST(2, 8)
  c10::intrusive_ptr<Store> clone() override {
    return c10::make_intrusive<AttemptStore>(keys_->getUnderlyingStore()->clone(), attempt_);
  }
#endif

  void set(const std::string& key, const Bytes& value) override {
    keys_->set(key, value);
  }
  Bytes compareSet(const std::string& key, const Bytes& current, const Bytes& desired) override {
    return keys_->compareSet(key, current, desired);
  }
  Bytes get(const std::string& key) override {
    return keys_->get(key);
  }
  int64_t add(const std::string& key, int64_t value) override {
    return keys_->add(key, value);
  }
  bool deleteKey(const std::string& key) override {
    return keys_->deleteKey(key);
  }
  bool check(const Names& keys) override {
    return keys_->check(keys);
  }
  int64_t getNumKeys() override {
    return keys_->getNumKeys();
  }
  void wait(const Names& keys) override {
    keys_->wait(keys);
  }
  void wait(const Names& keys, const std::chrono::milliseconds& timeout) override {
    keys_->wait(keys, timeout);
  }
  const std::chrono::milliseconds& getTimeout() const noexcept override {
    return keys_->getTimeout();
  }
  void setTimeout(const std::chrono::milliseconds& timeout) override {
    keys_->setTimeout(timeout);
  }
  void append(const std::string& key, const Bytes& value) override {
    keys_->append(key, value);
  }
  std::vector<Bytes> multiGet(const Names& keys) override {
    return keys_->multiGet(keys);
  }
  void multiSet(const Names& keys, const std::vector<Bytes>& values) override {
    keys_->multiSet(keys, values);
  }
  bool hasExtendedApi() const override {
    return keys_->hasExtendedApi();
  }

 private:
  const std::string attempt_;
  c10::intrusive_ptr<c10d::PrefixStore> keys_;
};

}  // namespace at::cuda::backend::distributed
