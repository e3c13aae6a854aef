/** A text in a storage of the browser; kept nowhere where the user has blocked the data of sites, which makes storages throw. */
export function storedText(storage: () => Storage, name: string) {
  function tried<Result>(use: (storage: Storage) => Result): Result | undefined {
    try {
      return use(storage());
    } catch {
      return undefined;
    }
  }
  return {
    get: () => tried((storage) => storage.getItem(name)) ?? null,
    set: (text: string) => tried((storage) => storage.setItem(name, text)),
    remove: () => tried((storage) => storage.removeItem(name)),
  };
}
