/** The commands of the command line with their arguments and options, from the table that its help comes from. */

export function commandTable(commands) {
  const rows = commands.flatMap((command) => commandRows(command, []));
  return ['| command | what it does | options |', '| --- | --- | --- |', ...rows].join('\n') + '\n';
}

function commandRows({ name, summary, arguments: args = [], options = [], load, commands = [] }, parents) {
  const path = [...parents, name];
  const usage = ['blockwork', ...path, ...args.map((argument) => argument.name)].join(' ');
  const own = load === undefined ? [] : [`| \`${usage}\` | ${summary} | ${options.map(optionText).join('<br>')} |`];
  return [...own, ...commands.flatMap((command) => commandRows(command, path))];
}

function optionText({ flags, description, choices, default: value }) {
  const more = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(value === undefined ? [] : [`default: ${value}`]),
  ];
  return `\`${flags}\`: ${description}${more.length === 0 ? '' : ` (${more.join('; ')})`}`.replaceAll('|', '\\|');
}
