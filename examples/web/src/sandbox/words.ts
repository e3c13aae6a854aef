import type { Words } from '../language/text.ts';

export const words = {
  sandbox: ['Sandbox', 'Entorno de prueba', 'Persekitaran ujian', '测试环境'],
  noResponse: [
    'The sandbox did not respond.',
    'El entorno de prueba no respondió.',
    'Persekitaran ujian tidak menjawab.',
    '测试环境没有答复。',
  ],
  clockAdvanced: [
    'The clock of the sandbox was advanced.',
    'Se adelantó el reloj del entorno de prueba.',
    'Jam persekitaran ujian telah dipercepatkan.',
    '测试环境的时钟已拨快。',
  ],
  courseChanged: [
    'Documents that are imported now are decided in some seconds.',
    'Los documentos que se importen ahora se deciden en unos segundos.',
    'Dokumen yang diimport sekarang diputuskan dalam beberapa saat.',
    '现在导入的文档会在几秒内得到决定。',
  ],
  noFault: [
    'No fault is active.',
    'Ningún fallo está activo.',
    'Tiada kerosakan yang aktif.',
    '没有启用的故障。',
  ],
  active: ['Active: {faults}.', 'Activos: {faults}.', 'Aktif: {faults}.', '已启用：{faults}。'],
  fault: [
    '{fault} at {endpoint}, {calls}',
    '{fault} en {endpoint}, {calls}',
    '{fault} pada {endpoint}, {calls}',
    '{endpoint}：{fault}，{calls}',
  ],
  allEndpoints: ['all endpoints', 'todos los servicios', 'semua perkhidmatan', '所有服务'],
  untilReset: ['until it is reset', 'hasta que se restablezca', 'sehingga ditetapkan semula', '直到重置'],
  oneCall: ['for 1 call', 'para 1 llamada', 'untuk 1 panggilan', '持续 1 次调用'],
  calls: ['for {count} calls', 'para {count} llamadas', 'untuk {count} panggilan', '持续 {count} 次调用'],
  slow: ['Make the service slow', 'Hacer lento el servicio', 'Perlahankan perkhidmatan', '让服务变慢'],
  fail: ['Make the service fail', 'Hacer fallar el servicio', 'Gagalkan perkhidmatan', '让服务出错'],
  refuse: ['Refuse credentials', 'Rechazar las credenciales', 'Tolak maklumat log masuk', '拒绝凭据'],
  reject: [
    'Reject the next import',
    'Rechazar la próxima importación',
    'Tolak import seterusnya',
    '拒绝下一次导入',
  ],
  lose: [
    'Lose the next response',
    'Perder la próxima respuesta',
    'Hilangkan jawapan seterusnya',
    '丢失下一个答复',
  ],
  decideSoon: [
    'Decide in some seconds',
    'Decidir en unos segundos',
    'Putuskan dalam beberapa saat',
    '几秒内作出决定',
  ],
  advance: [
    'Advance the clock by 10 s',
    'Adelantar el reloj 10 s',
    'Percepatkan jam sebanyak 10 s',
    '将时钟拨快 10 秒',
  ],
  reset: ['Reset', 'Restablecer', 'Tetapkan semula', '重置'],
} as const satisfies Words;
