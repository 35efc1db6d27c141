/** The API reference: every entry point of every published package, from the comments of the sources. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Application, RendererEvent } from 'typedoc';
import { root, StepFailed } from '../run.mjs';
import { apiEntries } from './api-entries.mjs';

/**
 * Resolves to what the search is to find of it. Fails if a comment refers to a name that there is not. `hasSources`: whether each
 * name has a link to its source, which is on GitHub.
 */
export async function buildApi(folder, { hasSources = true } = {}) {
  const entries = await entryPoints();
  const app = await Application.bootstrap({
    name: 'Blockwork API',
    entryPoints: [...entries.keys()],
    tsconfig: join(root, 'scripts', 'site', 'tsconfig.json'),
    basePath: root,
    // The compiler checks the sources elsewhere.
    skipErrorChecking: true,
    readme: 'none',
    disableGit: true,
    sourceLinkTemplate: 'https://github.com/blockwork/blockwork/blob/main/{path}#L{line}',
    excludePrivate: true,
    navigationLinks: { Documentation: '../index.html' },
    validation: { notExported: false, invalidLink: true, notDocumented: false },
    logLevel: 'Warn',
    includeVersion: false,
    githubPages: false,
  });
  const project = await app.convert();
  if (project === undefined) throw new StepFailed('The sources cannot be read; the reason is above.');
  for (const module of project.children ?? []) {
    const file = join(root, module.sources?.[0]?.fileName ?? '');
    module.name = entries.get(file) ?? module.name;
  }
  app.validate(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new StepFailed('Comments of the API have to be mended.');
  // The modules were named by their sources.
  if (!hasSources) for (const reflection of Object.values(project.reflections)) delete reflection.sources;
  let found = [];
  app.renderer.on(RendererEvent.END, () => (found = apiEntries(project, app.renderer.router)));
  await app.generateDocs(project, folder);
  return found;
}

/** Its types are inferred from data and take megabytes of text; `docs/openapi.json` says the same. */
const LEFT_OUT = 'contract';

/** The source of each entry point, with the name that programs import it by. */
async function entryPoints() {
  const entries = new Map();
  const names = (await readdir(join(root, 'packages'))).filter((name) => name !== LEFT_OUT);
  for (const name of names.sort()) {
    const manifest = JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8'));
    for (const [path, target] of Object.entries(manifest.exports ?? {})) {
      const [, source] = /^\.\/dist\/(.+)\.js$/.exec(target.default ?? '') ?? [];
      if (source === undefined || manifest.private) continue;
      entries.set(join(root, 'packages', name, 'src', `${source}.ts`), manifest.name + path.slice(1));
    }
  }
  return entries;
}
