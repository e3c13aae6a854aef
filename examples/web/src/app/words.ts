import type { Words } from '../language/text.ts';

export const words = {
  scan: ['Scan', 'Escanear', 'Imbas', '扫描'],
  outbox: ['Outbox', 'Bandeja de salida', 'Peti keluar', '发件箱'],
  groups: ['Groups', 'Grupos', 'Kumpulan', '群组'],
  export: ['Export', 'Exportar', 'Eksport', '导出'],
  mexico: ['Mexico', 'México', 'Mexico', '墨西哥'],
  fapiao: ['Fapiao', 'Fapiao', 'Fapiao', '发票'],
  malaysia: ['Malaysia', 'Malasia', 'Malaysia', '马来西亚'],
  views: ['Views', 'Vistas', 'Paparan', '视图'],
  skip: ['Skip to the content', 'Saltar al contenido', 'Langkau ke kandungan', '跳到内容'],
} as const satisfies Words;
