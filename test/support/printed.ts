import { vi } from 'vitest';

/** What a script prints while it runs in this process, and the exit status that it returns. */
export async function printed(run: () => Promise<number>) {
  const collect = (method: 'log' | 'error') => {
    const lines: string[] = [];
    const spy = vi.spyOn(console, method).mockImplementation((line) => void lines.push(`${line}\n`));
    return () => {
      spy.mockRestore();
      return lines.join('');
    };
  };
  const [output, errors] = [collect('log'), collect('error')];
  const status = await run();
  return { status, output: output(), errors: errors() };
}
