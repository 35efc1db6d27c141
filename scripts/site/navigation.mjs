/** The order of the pages. Each page of the documentation is in exactly one section; `*` stands for the rest of a folder. */

/** Where the API reference begins, which is generated from the comments of the sources. */
export const API = 'api/index.html';

const docs = (...names) => names.map((name) => `docs/${name}.md`);

export const sections = [
  {
    title: 'Start',
    pages: ['README.md', ...docs('tutorial', 'playground', 'coming-from', 'comparison', 'console', 'cli')],
  },
  {
    title: 'Policies',
    pages: docs(
      ...['making-a-policy', 'formulas', 'spreadsheets', 'versions', 'scenarios', 'trials', 'exploring'],
      'looking-into-a-policy',
      'mcp',
    ),
  },
  {
    title: 'Programs',
    pages: docs(
      'mounting',
      'react',
      'host-transactions',
      'live-events',
      'webhooks',
      'writing-a-block',
      'writing-an-adapter',
    ),
  },
  {
    title: 'Operation',
    pages: [
      'deploy/README.md',
      ...docs(
        'runbook',
        'scaling',
        'several-nodes',
        'telemetry',
        'performance',
        'reporting',
        'identities',
        'requests',
        'ledger',
        'verifying',
        'releases',
        'debugging',
        'simulator',
      ),
    ],
  },
  {
    title: 'Reference',
    pages: [API, ...docs('errors', 'limits', 'permissions', 'promises', 'glossary', 'differences', 'sandbox-routes')],
  },
  { title: 'Blocks', pages: ['docs/blocks/README.md', 'docs/blocks/*'] },
  { title: 'Packages', pages: ['packages/*/README.md'] },
  { title: 'Examples', pages: ['examples/*/README.md'] },
  { title: 'Decisions', pages: ['docs/decisions/*'] },
  { title: 'Project', pages: ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'] },
];
