/** Removes from Node 26 what Node 22 does not have. For `node --import`, before the code of a test. */

const missing = [
  ...['AsyncDisposableStack', 'DisposableStack', 'Error.isError', 'Float16Array', 'Iterator.concat'],
  ...['Map.prototype.getOrInsert', 'Map.prototype.getOrInsertComputed', 'Promise.try', 'RegExp.escape'],
  ...['SuppressedError', 'Temporal', 'URLPattern', 'Uint8Array.fromBase64', 'Uint8Array.fromHex'],
  ...['Uint8Array.prototype.setFromBase64', 'Uint8Array.prototype.setFromHex'],
  ...['Uint8Array.prototype.toBase64', 'Uint8Array.prototype.toHex', 'WeakMap.prototype.getOrInsert'],
  ...['WeakMap.prototype.getOrInsertComputed'],
];

for (const path of missing) {
  const steps = path.split('.');
  const name = steps.pop() as string;
  const owner = steps.reduce<any>((value, step) => value[step], globalThis);
  delete owner[name];
}
