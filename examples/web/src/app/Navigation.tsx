import { Icon } from './Icon.tsx';
import { type ViewName, views } from './views.ts';

export function Navigation({ current }: { readonly current: ViewName }) {
  return (
    <nav className="navigation" aria-label="Views">
      <p className="brand">
        <img src="/favicon.svg" alt="" width="28" height="28" />
        <span>Folio</span>
      </p>
      <ul>
        {views.map(({ name, title }) => (
          <li key={name}>
            <a href={`#/${name}`} aria-current={name === current ? 'page' : undefined}>
              <Icon name={name} />
              <span>{title}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
