import { refusedBy } from '../../shares/lane-budget.ts';
import type { RedisShare } from '../../shares/redis-ledger-share.ts';
import type { LedgerStore } from './ledger.ts';

/**
 * The store in Redis with a bound on what each caller keeps in it: `redis-store.ts` bounds each outcome. A repetition gets its
 * outcome whether or not there is room.
 */
export function createBoundedRedisStore(store: LedgerStore, share: RedisShare): LedgerStore {
  return {
    async reserve(request) {
      const reached = share.reached(request);
      if (!reached) return await store.reserve({ ...request, onStored: share.counterOf(request) });
      const found = await store.find(request);
      if (found) return found;
      throw refusedBy(reached);
    },
    find: (key) => store.find(key),
  };
}
