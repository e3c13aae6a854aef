import type { Words } from '../language/text.ts';

export const words = {
  title: ['Fapiao from XML', 'Fapiao a partir de XML', 'Fapiao daripada XML', '由 XML 生成发票'],
  about: [
    'The XML e-invoice is sent byte for byte, because it is signed. The service makes a PDF document from it.',
    'La factura electrónica XML se envía byte por byte, porque está firmada. El servicio crea un documento PDF con ella.',
    'E-invois XML dihantar bait demi bait kerana ia ditandatangani. Perkhidmatan menghasilkan dokumen PDF daripadanya.',
    'XML 电子发票已签名，因此逐字节发送。服务据此生成 PDF 文档。',
  ],
  xmlInvoice: ['XML e-invoice', 'Factura electrónica XML', 'E-invois XML', 'XML 电子发票'],
  choose: ['Choose an XML file', 'Elegir un archivo XML', 'Pilih fail XML', '选择 XML 文件'],
  orDrop: [
    'or drop one here, or type below',
    'o suéltelo aquí, o escriba abajo',
    'atau lepaskan di sini, atau taip di bawah',
    '或拖放到此处，或在下方输入',
  ],
  sentUnchanged: [
    '{file} is sent unchanged. If you edit the text, the text is sent instead, and the signature breaks.',
    '{file} se envía sin cambios. Si edita el texto, se envía el texto y la firma deja de ser válida.',
    '{file} dihantar tanpa perubahan. Jika anda mengubah teks, teks itu yang dihantar dan tandatangan menjadi tidak sah.',
    '{file} 原样发送。如果编辑文本，则发送该文本，签名将失效。',
  ],
  request: ['Request', 'Solicitud', 'Permintaan', '请求'],
  name: ['Name of the document', 'Nombre del documento', 'Nama dokumen', '文档名称'],
  exampleName: ['Invoice 2026-03', 'Factura 2026-03', 'Invois 2026-03', '发票 2026-03'],
  anyScript: [
    'Optional; any script.',
    'Opcional; cualquier alfabeto.',
    'Pilihan; sebarang tulisan.',
    '可选；任何文字。',
  ],
  requestPdf: ['Request the PDF', 'Solicitar el PDF', 'Minta PDF', '请求 PDF'],
  invalid: [
    'The XML is not a valid Fapiao; nothing was sent.',
    'El XML no es un Fapiao válido; no se envió nada.',
    'XML ini bukan Fapiao yang sah; tiada apa-apa dihantar.',
    '该 XML 不是有效的发票；没有发送任何内容。',
  ],
  expected: ['Expected: {expected}', 'Se espera: {expected}', 'Dijangka: {expected}', '应为：{expected}'],
  found: ['Found: {actual}', 'Se encontró: {actual}', 'Ditemui: {actual}', '实际为：{actual}'],
  goTo: [
    'Go to line {line}, column {column}',
    'Ir a la línea {line}, columna {column}',
    'Pergi ke baris {line}, lajur {column}',
    '转到第 {line} 行第 {column} 列',
  ],
  accepted: [
    'Accepted, not yet processed',
    'Aceptado, todavía sin procesar',
    'Diterima, belum diproses',
    '已接受，尚未处理',
  ],
  keepId: [
    'The service has no call that returns the outcome: keep this id to ask for it.',
    'El servicio no permite consultar el resultado: guarde este número para preguntar por él.',
    'Perkhidmatan tiada cara untuk mendapatkan hasilnya: simpan nombor ini untuk bertanya.',
    '服务没有查询结果的方法：请保存此编号以便询问。',
  ],
} as const satisfies Words;
