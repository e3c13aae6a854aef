/**
 * What a running gateway is made of, as a CycloneDX document: `npm run --silent sbom > sbom.json`.
 *
 * Not `npm sbom --omit dev`: that leaves out every package which some development tool needs as well, graphql among them.
 */
import { execFileSync } from 'node:child_process';
import packageJson from '../package.json' with { type: 'json' };

interface Component {
  readonly 'bom-ref': string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

const everything = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], { encoding: 'utf8' }),
);

const components = (everything.components as Component[]).filter(
  ({ properties }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
);
const { component } = everything.metadata;
const kept = new Set([component['bom-ref'], ...components.map((kept) => kept['bom-ref'])]);
const dependencies = (everything.dependencies as Dependency[])
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));

// npm calls it by the name of its folder.
const metadata = { ...everything.metadata, component: { ...component, name: packageJson.name } };
console.log(JSON.stringify({ ...everything, metadata, components, dependencies }, null, 2));
