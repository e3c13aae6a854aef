/** The distinct document ids in a text. Any character except digits and letters separates them. */
export function documentIdsOf(typed: string): string[] {
  return [...new Set(typed.split(/[^A-Za-z0-9_-]+/).filter(Boolean))];
}
