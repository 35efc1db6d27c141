/** The public policies of other people: all of them load, and nothing of them is lost without a word. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { compilePolicy, readPolicyFile, renewBlockIds, tokenIds } from '../src/policy/index.js';
import { countingIds } from './policy-fixtures.js';

const folder = process.env['BLOCKWORK_REAL_POLICIES'];
if (folder === undefined) {
  process.stderr.write('Skipped: tests over real policies. BLOCKWORK_REAL_POLICIES names no folder of them.\n');
}

interface Listed {
  file: string;
  blocks: number;
}
interface Raw {
  id: string;
  blockType: string;
  tag?: string;
  tokenId?: unknown;
  viewHistory?: unknown;
  children?: Raw[];
  events?: { source: string; target: string; output: string; input: string; actor: string | null; disabled: boolean }[];
  [option: string]: unknown;
}

const walk = (block: Raw): Raw[] => [block, ...(block.children ?? []).flatMap(walk)];

describe.skipIf(folder === undefined)('real policies', () => {
  const listed = folder === undefined ? [] : (JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Listed[]);

  test('every archive of the folder is listed', () => {
    const files = readdirSync(folder ?? '.').filter((name) => name.endsWith('.policy'));
    expect(listed.map(({ file }) => file).sort()).toEqual(files.sort());
  });

  describe.each(listed)('$file', ({ file, blocks }) => {
    const bytes = new Uint8Array(readFileSync(join(folder ?? '.', file)));
    const entries = unzipSync(bytes);
    const json = (name: string): Record<string, unknown> =>
      JSON.parse(new TextDecoder().decode(entries[name])) as Record<string, unknown>;
    const names = Object.keys(entries).filter((name) => !name.endsWith('/'));
    const raw = json('policy.json');
    const written = walk(raw['config'] as Raw);
    const bundle = renewBlockIds(readPolicyFile(bytes, { ids: countingIds() }), countingIds());
    const { about, config, schemas, tokens, artifacts, findings } = bundle;
    const tree = compilePolicy(
      config,
      { roles: about.policyRoles, groups: about.policyGroups, navigation: about.policyNavigation },
      new Map(),
    );

    test('all its blocks are there, in order, with all their members', () => {
      expect(written).toHaveLength(blocks);
      const remainingBlocks = tree.blocks.filter(({ source }) => source.blockType !== 'historyAddon');
      expect(remainingBlocks.map(({ blockType, source }) => [blockType, source.tag])).toEqual(
        written.map(({ blockType, tag }) => [blockType, tag ?? '']),
      );
      for (const [index, { source }] of remainingBlocks.entries()) {
        const {
          id: _id,
          children: _children,
          events: _events,
          dependencies: _dependencies,
          viewHistory: _,
          uiMetaData,
          ...own
        } = written[index]!;
        expect(source).toMatchObject(own);
        expect(Object.keys(source.uiMetaData)).toEqual(Object.keys(uiMetaData ?? {}));
      }
    });

    test('a grid whose sources asked for the history shows it through an addon, and no other does', () => {
      const asking = written.filter(({ children }) => children?.some((child) => child.viewHistory === true));
      const addons = tree.blocks.filter(({ blockType }) => blockType === 'historyAddon');
      expect(addons.map(({ parent }) => parent?.tag)).toEqual(asking.map(({ tag }) => tag));
    });

    test('each block of a type that nobody registered is reported with its place', () => {
      const unknown = tree.findings.filter(({ code }) => code === 'BLOCK_TYPE_UNKNOWN');
      expect(unknown.map(({ path, block }) => [path, block])).toEqual(
        tree.blocks.map(({ path, uuid }) => [path, uuid]),
      );
    });

    test('all written links are kept; each is there once, or reported, or disabled', () => {
      const links = written.flatMap(({ events }) => events ?? []);
      const events = tree.blocks.flatMap(({ source }) => source.events);
      expect(events).toEqual(expect.arrayContaining(links));
      const tags = new Set(written.map(({ tag }) => tag ?? ''));
      tags.delete('');
      const live = links.filter(({ disabled }) => !disabled);
      const dangling = live.filter(
        ({ source, target, output, input }) => !tags.has(source) || !tags.has(target) || output === '' || input === '',
      );
      const count = (code: string) => tree.findings.filter((finding) => finding.code === code).length;
      expect(count('LINK_DANGLING')).toBe(dangling.length);
      expect(count('LINK_NEVER_FIRES')).toBe(0);
      const distinct = new Set(
        live
          .filter((each) => !dangling.includes(each))
          .map(({ source, target, output, input, actor }) =>
            JSON.stringify([source, target, output, input, actor ?? '']),
          ),
      );
      const compiled = tree.blocks.flatMap((block) =>
        [...block.links.values()]
          .flat()
          .map((each) =>
            JSON.stringify([
              block.tag,
              each.target.tag,
              each.output,
              each.input,
              each.actor === 'initiator' ? '' : each.actor,
            ]),
          ),
      );
      expect(compiled).toEqual(expect.arrayContaining([...distinct]));
      expect(count('LINK_REPEATED')).toBe(live.length - dangling.length - distinct.size);
    });

    test('names in dependencies became links, or are reported', () => {
      const wished = written.flatMap(({ tag, dependencies }) =>
        ((dependencies ?? []) as string[]).map((name) => [name, tag ?? '']),
      );
      const refreshing = tree.blocks.flatMap(({ source }) =>
        source.events.filter(({ input }) => input === 'RefreshEvent'),
      );
      const unknown = findings.filter(({ code }) => code === 'DEPENDENCY_UNKNOWN');
      const missing = wished.filter(
        ([from, to]) =>
          !refreshing.some(
            ({ source, target, output }) => source === from && target === to && output === 'RefreshEvent',
          ),
      );
      expect(unknown).toHaveLength(missing.length);
      expect(tree.dependedOn.size).toBe(0);
    });

    test('all its schemas, tokens and files are there', () => {
      const files = (start: string) =>
        names.filter((name) => name.startsWith(start) && !name.endsWith('metadata.json'));
      expect(schemas.map(({ id }) => id)).toEqual(files('schemas/').map((name) => json(name)['iri']));
      expect(schemas.every(({ document }) => document !== null)).toBe(true);
      expect(tokens.map(({ source }) => source)).toEqual(files('tokens/').map(json));
      expect(artifacts.map(({ id, content }) => [id, content])).toEqual(
        files('artifacts/').map((name) => [
          name.slice('artifacts/'.length),
          Buffer.from(entries[name] ?? []).toString('base64'),
        ]),
      );
    });

    test('its facts are taken over, and nothing needs to be said against them', () => {
      const { config: _, codeVersion: __, ...rest } = raw;
      const { extra, ...facts } = about;
      const { policyTokens, ...otherFacts } = { policyTokens: [], ...rest } as Record<string, unknown>;
      expect({ ...facts, ...extra, policyTokens }).toMatchObject(otherFacts);
      expect(about.codeVersion).toBe('1.5.1');
      expect(findings.filter(({ code }) => code === 'RECORD_FIELD_INVALID' || code === 'FILE_IGNORED')).toEqual([]);
    });

    test('token ids come in the order of the tree, each once', () => {
      const ids = written.map(({ tokenId }) => tokenId).filter((id) => typeof id === 'string' && id !== '');
      expect(ids.length).toBeGreaterThan(0);
      expect(tokenIds(config)).toEqual([...new Set(ids)]);
    });
  });
});
