/** Document ids as typed, divided by anything that is no digit or letter; each once. */
export function documentIdsOf(typed: string): string[] {
  return [...new Set(typed.split(/[^A-Za-z0-9_-]+/).filter(Boolean))];
}
