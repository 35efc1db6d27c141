/** The live events and what a webhook sends, member by member, from the schema that answers are held against. */

export function eventTables(policyEvent, toJsonSchema) {
  const { anyOf = [], oneOf = anyOf } = toJsonSchema(policyEvent, { io: 'input' });
  return oneOf.map(eventTable).join('\n');
}

function eventTable({ description, properties, required = [] }) {
  const rows = Object.entries(properties).map(([name, member]) => {
    const optional = required.includes(name) ? '' : ' (optional)';
    return `| \`${name}\` | ${typeOf(member)}${optional} | ${(member.description ?? '').replaceAll('|', '\\|')} |`;
  });
  const name = properties.type.const;
  return [
    `### \`${name}\``,
    '',
    `${description}${name === 'open' ? ' It is not sent to webhooks.' : ` To webhooks: \`blockwork.policy.${name}\`.`}`,
    '',
    '| member | type | what it is |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function typeOf({ type, items, enum: values, const: value }) {
  if (value !== undefined) return `\`${value}\``;
  if (values !== undefined) return values.map((each) => `\`${each}\``).join(', ');
  return type === 'array' ? `list of ${typeOf(items)}` : type;
}
