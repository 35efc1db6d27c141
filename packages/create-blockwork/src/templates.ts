/** The templates, and the folders below `templates/` that each is made of: of files with one name, the last counts. */

export interface Template {
  /** What a project of it is, for a list. */
  readonly title: string;
  readonly folders: readonly string[];
}

export const templates = {
  'form-approve-mint': {
    title: 'a report through a form, an approval by the registry, and a mint',
    folders: ['shared/project', 'shared/policy', 'form-approve-mint'],
  },
  registry: {
    title: 'two roles: producers report, verifiers confirm and thereby mint, the registry looks on',
    folders: ['shared/project', 'shared/policy', 'registry'],
  },
  json: {
    title: 'the smallest policy with a form and a grid, in plain JSON',
    folders: ['shared/project', 'shared/policy', 'json'],
  },
  typescript: {
    title: 'a policy in TypeScript, checked by the compiler',
    folders: ['shared/project', 'typescript'],
  },
  device: {
    title: 'a policy that takes signed readings of devices over HTTP, and such a device',
    folders: ['shared/project', 'device'],
  },
  koa: {
    title: 'an application of Koa that embeds the engine, with users of its own',
    folders: ['shared/project', 'shared/embedded', 'koa'],
  },
  express: {
    title: 'an application of Express that embeds the engine, with users of its own',
    folders: ['shared/project', 'shared/embedded', 'express'],
  },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof templates;

export const defaultTemplate: TemplateName = 'form-approve-mint';

export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(templates, name);
