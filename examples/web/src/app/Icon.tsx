import type { ViewName } from './views.ts';

const paths: Readonly<Record<ViewName, string>> = {
  scan: 'M3 7V4.5A1.5 1.5 0 0 1 4.5 3H7M13 3h2.5A1.5 1.5 0 0 1 17 4.5V7M17 13v2.5a1.5 1.5 0 0 1-1.5 1.5H13M7 17H4.5A1.5 1.5 0 0 1 3 15.5V13M6 10h8',
  outbox: 'M3 11.5 5.5 4h9l2.5 7.5V16H3zM3 11.5h4l1 2h4l1-2h4M10 4v4.5m0-4.5L8 6m2-2 2 2',
  groups: 'M3 6.5h5l1.5 2H17v7.5H3zM3 6.5V4h5l1.5 2.5',
  export: 'M10 3v9m0 0 3.5-3.5M10 12 6.5 8.5M4 14v3h12v-3',
  mexico: 'M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM6.8 10.2l2.2 2.2 4.2-4.6',
  fapiao: 'M5 2.5h7l3.5 3.5v11.5H5zM12 2.5V6h3.5M7.5 10l-1.2 1.8 1.2 1.7M12.5 10l1.2 1.8-1.2 1.7',
  malaysia: 'M5 2.5v15l2-1.2 1.5 1.2 1.5-1.2 1.5 1.2 1.5-1.2 2 1.2v-15zM8 7h4M8 10h4',
};

export function Icon({ name }: { readonly name: ViewName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
