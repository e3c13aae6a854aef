import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';

export interface Explorer {
  handles(request: IncomingMessage, path: string): boolean;
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
}

export function createExplorer(_config: Config): Explorer {
  return { handles: () => false, async answer() {} };
}
