/** The `id` of an entity, unique across types: its type name and the service's identifier (`MalaysiaStatus:5002`). */
export function entityId(typeName: string, identifier: string): string {
  return `${typeName}:${identifier}`;
}

export function entityIdDescription(typeName: string, argument?: string): string {
  const example = `Unique across all types, e.g. \`${typeName}:${argument ? '5002' : 'c56a4180-65aa-42ec-a945-5fe21dec0538'}\`: the key of a normalised cache.`;
  return argument ? `${example} Arguments take \`${argument}\`, not this id.` : example;
}
