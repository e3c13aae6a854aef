import type { Words } from '../language/text.ts';

export const words = {
  title: ['Export', 'Exportar', 'Eksport', '导出'],
  about: [
    'Completed documents as rows of a table and as a file for a spreadsheet.',
    'Documentos terminados como filas de una tabla y como archivo para una hoja de cálculo.',
    'Dokumen yang siap sebagai baris jadual dan sebagai fail untuk hamparan.',
    '已完成的文档，以表格行和电子表格文件的形式。',
  ],
  which: ['Which documents', 'Qué documentos', 'Dokumen mana', '哪些文档'],
  noScanned: [
    'No scanned documents yet',
    'Todavía no hay documentos escaneados',
    'Belum ada dokumen yang diimbas',
    '还没有扫描的文档',
  ],
  selectHere: [
    'Cards that you scan on this page can be selected here. Enter the ids of other documents below.',
    'Los documentos que escanee en esta página se pueden elegir aquí. Escriba abajo los números de otros documentos.',
    'Kad yang anda imbas di halaman ini boleh dipilih di sini. Masukkan nombor dokumen lain di bawah.',
    '您在此页面扫描的证件可以在这里选择。其他文档的编号请在下方输入。',
  ],
  scannedHere: ['Scanned here', 'Escaneados aquí', 'Diimbas di sini', '在此扫描'],
  otherIds: ['Other document ids', 'Números de otros documentos', 'Nombor dokumen lain', '其他文档编号'],
  exportOne: ['Export 1 document', 'Exportar 1 documento', 'Eksport 1 dokumen', '导出 1 个文档'],
  exportMany: [
    'Export {count} documents',
    'Exportar {count} documentos',
    'Eksport {count} dokumen',
    '导出 {count} 个文档',
  ],
  noName: ['No name found', 'No se encontró un nombre', 'Tiada nama ditemui', '未找到姓名'],
  oneDocument: ['1 document', '1 documento', '1 dokumen', '1 个文档'],
  documents: ['{count} documents', '{count} documentos', '{count} dokumen', '{count} 个文档'],
  download: ['Download CSV', 'Descargar CSV', 'Muat turun CSV', '下载 CSV'],
  exported: ['Exported documents', 'Documentos exportados', 'Dokumen yang dieksport', '已导出的文档'],
  fold: [
    'Fold {count} empty columns',
    'Ocultar {count} columnas vacías',
    'Sembunyikan {count} lajur kosong',
    '收起 {count} 个空列',
  ],
  unfold: [
    'Show {count} empty columns',
    'Mostrar {count} columnas vacías',
    'Tunjuk {count} lajur kosong',
    '显示 {count} 个空列',
  ],
  apostrophe: [
    'In the file, a cell that a spreadsheet would run as a formula is prefixed with an apostrophe.',
    'En el archivo, una celda que una hoja de cálculo ejecutaría como fórmula empieza con un apóstrofo.',
    'Dalam fail, sel yang akan dijalankan oleh hamparan sebagai formula bermula dengan tanda apostrof.',
    '在文件中，电子表格会当作公式执行的单元格前面加了撇号。',
  ],
} as const satisfies Words;
