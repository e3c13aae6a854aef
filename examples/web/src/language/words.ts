import type { Words } from './text.ts';

export const words = {
  language: ['Language', 'Idioma', 'Bahasa', '语言'],
} as const satisfies Words;
