import { t } from '../language/language.ts';
import { Icon } from './Icon.tsx';
import { type ViewName, views } from './views.ts';
import { words } from './words.ts';

export function Navigation({ current }: { readonly current: ViewName }) {
  return (
    <nav className="navigation" aria-label={t(words.views)}>
      <p className="brand">
        <img src="/favicon.svg" alt="" width="28" height="28" />
        <span>Folio</span>
      </p>
      <ul>
        {views.map(({ name }) => (
          <li key={name}>
            <a href={`#/${name}`} aria-current={name === current ? 'page' : undefined}>
              <Icon name={name} />
              <span>{t(words[name])}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
