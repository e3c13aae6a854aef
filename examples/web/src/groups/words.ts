import type { Words } from '../language/text.ts';

export const words = {
  title: ['Groups', 'Grupos', 'Kumpulan', '群组'],
  about: [
    'A group holds queues, which are added to it later. The service cannot list groups: this page lists those that you created on it.',
    'Un grupo contiene colas, que se añaden después. El servicio no puede mostrar los grupos: esta página muestra los que usted creó en ella.',
    'Kumpulan mengandungi baris gilir yang ditambah kemudian. Perkhidmatan tidak dapat menyenaraikan kumpulan: halaman ini menyenaraikan kumpulan yang anda wujudkan di sini.',
    '群组包含以后添加的队列。服务无法列出群组：此页面列出您在这里创建的群组。',
  ],
  newGroup: ['New group', 'Grupo nuevo', 'Kumpulan baharu', '新群组'],
  created: [
    'Groups created on this page',
    'Grupos creados en esta página',
    'Kumpulan yang diwujudkan di halaman ini',
    '在此页面创建的群组',
  ],
  none: ['No groups yet', 'Todavía no hay grupos', 'Belum ada kumpulan', '还没有群组'],
  appearsHere: [
    'A group that you create appears here with its id.',
    'El grupo que cree aparecerá aquí con su número.',
    'Kumpulan yang anda wujudkan dipaparkan di sini dengan nombornya.',
    '您创建的群组会连同编号显示在这里。',
  ],
  name: ['Name', 'Nombre', 'Nama', '名称'],
  example: ['Accounts payable', 'Cuentas por pagar', 'Akaun belum bayar', '应付账款'],
  create: ['Create group', 'Crear grupo', 'Wujudkan kumpulan', '创建群组'],
  number: ['Number', 'Número', 'Nombor', '编号'],
  createdAt: ['Created', 'Creado', 'Diwujudkan', '创建时间'],
  owner: ['Owner', 'Propietario', 'Pemilik', '所有者'],
  queues: ['Queues', 'Colas', 'Baris gilir', '队列'],
  withoutName: ['without a name', 'sin nombre', 'tanpa nama', '无名称'],
} as const satisfies Words;
