/** Reads code blocks, headings and links of Markdown pages, and runs their shell blocks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import GithubSlugger from 'github-slugger';
import { marked, type Token } from 'marked';
import { expect } from 'vitest';
import type { TestGateway } from './gateway.ts';
import { controlSandbox } from './sandbox-controls.ts';

interface CodeBlock {
  /** The words after the opening fence. */
  readonly kind: string;
  readonly text: string;
}

export interface Page {
  /** In the order of the page. */
  readonly blocks: readonly CodeBlock[];
  /** Anchors of the headings, as GitHub generates them. */
  readonly anchors: ReadonlySet<string>;
  /** Texts in backticks, outside of code blocks. */
  readonly codeSpans: readonly string[];
  /** Targets of the links and images. */
  readonly links: readonly string[];
}

export function readPage(markdown: string): Page {
  const blocks: CodeBlock[] = [];
  const anchors = new Set<string>();
  const codeSpans: string[] = [];
  const links: string[] = [];
  const slugger = new GithubSlugger();
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'code') blocks.push({ kind: token.lang ?? '', text: `${token.text}\n` });
    if (token.type === 'heading') anchors.add(slugger.slug(plainText(token.tokens ?? [])));
    if (token.type === 'codespan') codeSpans.push(token.text);
    if (token.type === 'link' || token.type === 'image') links.push(token.href);
  });
  return { blocks, anchors, codeSpans, links };
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token && token.text,
    )
    .join('');
}

interface ShellRun {
  readonly command: string;
  /** The block after the command: its expected output. */
  readonly answer: CodeBlock;
}

export function shellRuns({ blocks }: Page): ShellRun[] {
  return blocks.flatMap((block, index) => {
    const answer = blocks[index + 1];
    return block.kind === 'sh run' && answer ? [{ command: block.text, answer }] : [];
  });
}

/** More than the time from one state of an imported e-invoice to the next in the sandbox. */
const nextStateMs = 11_000;

/**
 * The output of the command and the expected output, in a form that can be compared. The command runs in the folder of
 * the repository, with the variables of the blocks before it, which are kept in `variables`.
 */
export async function runShell(
  { command, answer }: ShellRun,
  gateway: TestGateway,
  variables: string,
): Promise<{ actual: unknown; expected: unknown }> {
  const here = command.replaceAll('http://127.0.0.1:4000', gateway.origin);
  const script = `set -a; [ ! -e "$0" ] || . "$0"\n${here}\nexport -p > "$0"`;
  const shell = spawn('sh', ['-c', script, variables], { stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
    // A document gets its next state when the last one has been printed, so that none is missed.
    if (/^data: .*"state":/m.test(String(chunk)))
      void controlSandbox(gateway, 'clock', { advanceMs: nextStateMs });
  });
  const [status] = await once(shell, 'close');
  if (status !== 0) throw new Error(`The shell exited with ${status}:\n${here}`);
  if (answer.kind !== 'json') return { actual: events(stdout), expected: events(answer.text) };
  const expected = comparable(JSON.parse(answer.text));
  return { actual: comparable(withoutCalls(JSON.parse(stdout))), expected };
}

/**
 * The value with each id replaced by the order of its first appearance, since the page shows those of a new sandbox, and
 * each `…` by any text.
 */
function comparable(value: unknown): unknown {
  const ids: unknown[] = [];
  return JSON.parse(JSON.stringify(value), (name, member: unknown) => {
    if (member === '…') return expect.stringMatching(/./);
    if (!/^(id|documentId)$/.test(name)) return member;
    if (!ids.includes(member)) ids.push(member);
    return `id ${ids.indexOf(member) + 1}`;
  });
}

/** The result without its list of calls, whose durations differ and which the pages leave out. */
function withoutCalls({ extensions, ...result }: Record<string, unknown>): object {
  return Object.keys(extensions ?? {}).join() === 'calls' ? result : { ...result, extensions };
}

function events(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => /^(event: |data: \{|--graphql|\{)/.test(line));
}
