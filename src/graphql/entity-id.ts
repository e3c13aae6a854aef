/** The `id` of an entity, unique across types: its type name and the service's identifier (`MalaysiaStatus:5002`). */
export function entityId(typeName: string, identifier: string): string {
  return `${typeName}:${identifier}`;
}

/** The field `id`, with the identifier in `member` of the parent. Arguments take a `documentId`; no other identifier is one. */
export function entityIdField<Member extends string>(typeName: string, member: Member) {
  const isArgument = member === 'documentId';
  const example = isArgument ? '5002' : 'c56a4180-65aa-42ec-a945-5fe21dec0538';
  const advice = isArgument ? ` Arguments take \`${member}\`, not this id.` : '';
  return {
    type: 'ID' as const,
    nullable: false as const,
    description: `Unique across all types, e.g. \`${typeName}:${example}\`: the key of a normalised cache.${advice}`,
    // docs/reference/mapping.md lists these fields.
    extensions: { isEntityId: true },
    resolve: (parent: Readonly<Record<Member, string>>) => entityId(typeName, parent[member]),
  };
}
