/** What a Dockerfile says, as far as it can be tried without a container. */

/** The instructions, those that go over several lines as one: `{ name: 'RUN', rest: 'npm install' }`. */
export function instructionsOf(dockerfile) {
  const lines = dockerfile.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  return [...lines.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name, rest]) => ({ name, rest }));
}

/** The commands that the first stage runs. */
export function commandsOf(instructions) {
  const [, second] = instructions.flatMap(({ name }, at) => (name === 'FROM' ? [at] : []));
  return instructions.slice(0, second).flatMap(({ name, rest }) => (name === 'RUN' ? [rest] : []));
}

/** What a container runs, the words of its health check, and the variables that are set. */
export function startOf(instructions) {
  const words = (wanted) =>
    instructions
      .filter(({ name }) => name === wanted)
      .flatMap(({ rest }) => JSON.parse(/\[.*\]$/.exec(rest)?.[0] ?? '[]'));
  const variables = instructions.filter(({ name }) => name === 'ENV').flatMap(({ rest }) => rest.split(/\s+/));
  return {
    command: [...words('ENTRYPOINT'), ...words('CMD')],
    healthCheck: words('HEALTHCHECK'),
    env: Object.fromEntries(variables.map((each) => each.split('='))),
  };
}
