/** Generates `.env.example`: every variable with its default, all commented out. */
import { configTable } from '../src/config/variables.ts';

export function envExample(): string {
  const variables = configTable.map(
    ({ name, default: byDefault, isOptional, description }) =>
      `# ${description}. Default: ${byDefault}\n#${name}=${isOptional ? '' : byDefault}\n`,
  );
  return `# Settings for \`npm run dev\`: copy this file to .env and change what you need. Generated from
# src/config/variables.ts. \`npm start\` and the image read only the environment, and LOG_LEVEL of .env on SIGHUP.

${variables.join('\n')}`;
}
