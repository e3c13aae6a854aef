/** Removes from a text of the service the caller's credentials, and what it may reveal about the service. */
import type { Credentials } from '../../caller.ts';

const removed = '[removed]';

/** Shortest credential that is looked for: a shorter one is part of common words. */
const minSecretLength = 4;

/**
 * Each part has a bounded length: from each beginning a pattern would else search the whole rest of the text. A host or a file
 * begins where a part of it does, not behind each hyphen: there are 30 hyphens in a part.
 */
const revealing = [
  /** A token of the form of a JWT. */
  /\beyJ[\w-]{8,}(?:\.[\w-]*)*/g,
  /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>)]+/gi,
  /** An address of IPv6, with or without a port, but not the index in `lines[0]`. */
  /\[(?=[0-9a-f.]*:)[0-9a-f:.]+\](?::\d+)?|(?<!\.)\b(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}\b/gi,
  /** An address of IPv4, with or without a port. No number of it is above 255 or begins with a zero, as an amount or a code may. */
  /\b(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?::\d+)?\b/g,
  /** The short form of an IPv6 address. */
  /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){1,7}:[0-9a-f:]*|::[0-9a-f][0-9a-f:]*)(?!\w)/gi,
  /** A host under a national domain, and what a look-up did not find. */
  /(?<![a-z0-9-])(?:[a-z0-9-]{1,63}\.){1,20}(?:(?:com|net|org|gov|edu|ac|co)\.[a-z]{2}|gov)\b(?::\d+)?/gi,
  /(?<=\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED) )[\w.:-]+/g,
  /(?<=\b(?:password|passwd|pwd|secret|api[_-]?key|token)=)[^\s,;&"'`]+/gi,
  /** A host under one of the usual domains, with or without a port, but not `lines.0.net`. */
  /(?<![a-z0-9-])(?!\w{1,63}\.\d)(?:[a-z0-9-]{1,63}\.){1,20}(?:com|org|io|local|localdomain|internal|intranet|lan|corp|cluster|svc|cloud|example|invalid)\b(?:\.[a-z0-9-]+)*(?::\d+)?/gi,
  /(?<![a-z0-9-])(?!\w{1,63}\.\d)(?:[a-z0-9-]{1,63}\.){2,20}(?:net|dev|app|test)\b(?::\d+)?/gi,
  /** A host of several words and its port, but not `sub-total:1200`. `id` and `no` after a dot are national domains. */
  /(?<![\w.-])(?![\w.-]{0,300}(?:-id|-no|[.-]sum|[.-]tax|[.-]rate|number|code|amount|total|price|quantity|length|value):)[a-z]\w{0,62}(?:[.-][a-z0-9]{1,63}){1,20}:(?:80|443|\d{4,5})\b/g,
  /** Another host, which may be one word: only where a text names one, or with the port of a usual server, not `got:1200`. */
  /(?<![\w.-])localhost(?::\d+)?\b|(?<=\b(?:connect(?:ing|ed|ion)?(?: to)?|host|server|upstream|proxy)[ =])[a-z][\w.-]{0,300}:(?:80|443|\d{4,5})\b/gi,
  /(?<![\w.-])[a-z][a-z0-9.-]{0,300}:(?:1433|1521|27017|3306|5432|5672|6379|8080|8443|9092|9200)\b/g,
  /** A file under Windows. */
  /\b[A-Za-z]:\\[^\s"'`]*|\\\\\w[^\s"'`]*/g,
  /** A file, or a path of the service. */
  /(?<![\w/])~?\/[A-Za-z_.@][\w.@/-]*(?::\d+)*/g,
  /** A file of a program, without a slash at its beginning. */
  /(?<![\w@.-])[\w@.-]{1,255}(?:\/[\w@.-]{1,255}){1,20}\.(?:[cm]?[jt]sx?|java|py|rb|go|cs|php|json|xml|ya?ml|log|sql|conf|env|pem|key)\b(?::\d+)*/g,
];

/** The text without the caller's credentials, also where they are percent-encoded or escaped as in JSON. */
export function withoutCredentials(text: string, { apiKey, authorization }: Credentials): string {
  const token = authorization?.slice(authorization.lastIndexOf(' ') + 1);
  // Without those that do not fit into the text: most texts are short, and a credential can have thousands of characters.
  const given = [authorization, token, apiKey].filter((secret = '') => secret.length <= text.length);
  const secrets = new Set(given.flatMap((secret = '') => formsOf(secret)));
  return [...secrets].reduce(
    (safe, secret) => (secret.length < minSecretLength ? safe : withoutSecret(safe, secret)),
    text,
  );
}

/** The secret, and as it is in a path and in JSON, where some escape slashes too. Most have one form. */
function formsOf(secret: string): readonly string[] {
  const escaped = [/["\\]/g, /["\\/]/g].map((characters) => secret.replaceAll(characters, '\\$&'));
  return [...escaped, secret, encodeURIComponent(secret)];
}

/**
 * The text without the secret in any case, by the prefix function of Knuth, Morris and Pratt. A regular expression takes the
 * product of both lengths: seconds for texts and a secret of one letter.
 */
function withoutSecret(text: string, secret: string): string {
  // No credential has a line break. The lower case of U+0130 has two characters.
  const all = `${secret}\n${text}`;
  const letters = all.replaceAll('\u0130', 'i').toLowerCase();
  /** How many of the first characters of all end at each position too. */
  const borders = new Int32Array(all.length);
  let safe = '';
  let from = secret.length + 1;
  for (let at = 1; at < all.length; at += 1) {
    let border = borders[at - 1] as number;
    if (border === secret.length) border = borders[border - 1] as number;
    while (border > 0 && letters[at] !== letters[border]) border = borders[border - 1] as number;
    if (letters[at] === letters[border]) border += 1;
    borders[at] = border;
    const start = at + 1 - secret.length;
    if (border !== secret.length || start < from) continue;
    safe += all.slice(from, start) + removed;
    from = at + 1;
  }
  return safe + all.slice(from);
}

/** The text without tokens, URLs, hosts and files. Numbers stay: they are the caller's own, as is what `isOwn` returns true for. */
export function withoutAddresses(text: string, isOwn = (_found: string): boolean => false): string {
  return revealing.reduce(
    (safe, pattern) => safe.replace(pattern, (found) => (isOwn(found) ? found : removed)),
    text,
  );
}
