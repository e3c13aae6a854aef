import type { Words } from '../language/text.ts';

export const words = {
  credentials: ['Credentials', 'Credenciales', 'Maklumat log masuk', '登录凭据'],
  show: ['Show', 'Mostrar', 'Tunjuk', '显示'],
  hide: ['Hide', 'Ocultar', 'Sembunyi', '隐藏'],
  useSandbox: [
    'Use sandbox credentials',
    'Usar credenciales de prueba',
    'Guna maklumat ujian',
    '使用测试凭据',
  ],
  onlyAscii: [
    'Only printable ASCII characters can be sent in a header.',
    'En un encabezado solo se pueden enviar caracteres ASCII imprimibles.',
    'Hanya aksara ASCII yang boleh dicetak boleh dihantar dalam pengepala.',
    '标头中只能发送可打印的 ASCII 字符。',
  ],
} as const satisfies Words;
