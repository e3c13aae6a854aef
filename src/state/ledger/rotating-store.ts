/** The ledger while LANE_SECRET is rotated. */
import { identify } from '../../caller.ts';
import type { FleetKeys, FleetSecrets } from '../fleet-secrets.ts';
import type { LedgerKey, LedgerReservation, LedgerStore } from './ledger.ts';
import { reservationGivenUp } from './ledger-errors.ts';

/**
 * While two secrets are in use, a key is reserved under both, under the former one first: so it is sent once, whether
 * another gateway knows both secrets already, only the former one, or only the new one. A key in use under the new one alone
 * is looked up first: a repetition must not join a reservation under the former one that is given up. `storeOf`: the store
 * whose entries have the names of one secret.
 */
export function createRotatingStore(
  secrets: FleetSecrets,
  storeOf: (keys: FleetKeys) => LedgerStore,
): LedgerStore {
  const stores = new WeakMap<FleetKeys, LedgerStore>();
  const storeFor = (keys: FleetKeys) => stores.getOrInsertComputed(keys, storeOf);

  return {
    async reserve(request) {
      const { current, former } = secrets;
      let reservedFormerly: LedgerReservation | undefined;
      if (former) {
        // If it fails, the reservation says why.
        const used = await storeFor(current)
          .find(requestUnder(current, request))
          .catch(() => undefined);
        if (used) return used;
        const found = await storeFor(former).reserve(requestUnder(former, request));
        if (!('settle' in found)) return found;
        reservedFormerly = found;
      }
      const release = () => reservedFormerly?.settle({ error: reservationGivenUp() }, true);
      try {
        const found = await storeFor(current).reserve(requestUnder(current, request));
        if ('settle' in found) return reservedFormerly ? both(found, reservedFormerly) : found;
        await release();
        return found;
      } catch (error) {
        await release();
        throw error;
      }
    },

    async find(key) {
      for (const keys of [secrets.current, secrets.former]) {
        const found = keys && (await storeFor(keys).find(requestUnder(keys, key)));
        if (found) return found;
      }
      return undefined;
    },
  };
}

/** The same request with the owner and lane under another secret. */
function requestUnder<T extends LedgerKey>(keys: FleetKeys, request: T): T {
  const { owner, lane } = identify(request.credentials, keys.laneOf);
  return { ...request, owner, lane };
}

function both(one: LedgerReservation, other: LedgerReservation): LedgerReservation {
  return {
    async settle(outcome, isFreed) {
      await Promise.all([one.settle(outcome, isFreed), other.settle(outcome, isFreed)]);
    },
  };
}
