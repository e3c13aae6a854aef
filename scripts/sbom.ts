/**
 * Prints the packages of a running gateway as a CycloneDX document: `npm run --silent sbom > sbom.json`.
 *
 * `npm sbom --omit dev` cannot be used: it leaves out every package that a development tool needs too, such as graphql.
 */
import { execFileSync } from 'node:child_process';
import packageJson from '../package.json' with { type: 'json' };
import lock from '../package-lock.json' with { type: 'json' };

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

const everything = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], { encoding: 'utf8' }),
);

// npm lists a package of several folders once, with the properties of one of them: it may be that of a development tool.
const ofProduction = new Set(
  Object.entries<{ dev?: boolean; version?: string }>(lock.packages)
    .filter(([, { dev }]) => !dev)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
);
const components = (everything.components as Component[]).filter(({ name, version }) =>
  ofProduction.has(`${name}@${version}`),
);
const { component } = everything.metadata;
const kept = new Set([component['bom-ref'], ...components.map((kept) => kept['bom-ref'])]);
const dependencies = (everything.dependencies as Dependency[])
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));

// npm uses the name of the folder.
const metadata = { ...everything.metadata, component: { ...component, name: packageJson.name } };
console.log(JSON.stringify({ ...everything, metadata, components, dependencies }, null, 2));
