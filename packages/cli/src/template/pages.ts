/** The other files of a new project. */

export const templateReadme = (name: string): string => `# ${name}

A policy for [Blockwork](https://github.com/blockwork/blockwork).

- \`${name}.policy.json\`: the policy: schemas, tokens, and a tree of blocks
- \`${name}.scenario.json\`: its test: steps of its users and expected results

\`\`\`sh
npm install
npm test
npx blockwork graph ${name}.policy.json
npx blockwork serve .
\`\`\`
`;

export const templateManifest = (name: string, version: string): string =>
  `${JSON.stringify(
    {
      name,
      private: true,
      type: 'module',
      scripts: {
        test: `blockwork validate --strict ${name}.policy.json && blockwork test ${name}.policy.json`,
        start: 'blockwork serve .',
      },
      devDependencies: { '@blockwork/cli': `^${version}` },
    },
    null,
    2,
  )}\n`;
