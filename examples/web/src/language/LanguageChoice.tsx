import { chooseLanguage, languages, locale, t } from './language.ts';
import { words } from './words.ts';

export function LanguageChoice() {
  return (
    <select
      className="input language-choice"
      aria-label={t(words.language)}
      value={locale()}
      onChange={({ target: { value } }) => {
        const chosen = languages.find(([one]) => one === value);
        if (chosen) chooseLanguage(chosen[0]);
      }}
    >
      {languages.map(([one, name, tag]) => (
        <option key={one} value={one} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  );
}
