/** The files for deploying: they parse, set what is a setting, ask what answers, and pass the checks of their tools. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contract } from '@blockwork/contract';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/run.mjs';
import { deploy, filesOf, textOf, yamlOf } from './support/files.js';

const files = await filesOf();
const named = (pattern: RegExp): string[] => files.filter((file) => pattern.test(file));

it.each(named(/\.yaml$/))('%s is YAML, and says what it is', async (file) => {
  expect((await yamlOf(file)).length).toBeGreaterThan(0);
  expect(await textOf(file)).toMatch(/^# \S/);
});

it('every variable that is set is a setting of the server', async () => {
  const page = await readFile(join(root, 'docs', 'cli.md'), 'utf8');
  const settings = [...page.matchAll(/^\| `(BLOCKWORK_[A-Z_]+)`/gm)].map(([, name]) => name);
  for (const file of files) {
    const used = [...(await textOf(file)).matchAll(/\bBLOCKWORK_[A-Z_]*[A-Z]\b/g)].map(([name]) => name);
    expect(settings, file).toEqual(expect.arrayContaining(used));
  }
});

it.each([
  ['Dockerfile', contract.health.path],
  ['compose/haproxy.cfg', contract.ready.path],
  ['kubernetes/deployment.yaml', contract.health.path],
  ['kubernetes/deployment.yaml', contract.ready.path],
])('%s asks for %s', async (file, path) => {
  expect(await textOf(file)).toContain(path);
});

describe('the Dockerfile', async () => {
  const text = await textOf('Dockerfile');

  it('starts from a base without a shell, as a user without rights, on the long-term line of Node', () => {
    expect(text).toMatch(/^FROM gcr\.io\/distroless\/nodejs\$\{NODE\}-debian12:nonroot$/m);
    expect(text).toMatch(/^USER 65532:65532$/m);
    expect(text).toMatch(/^ARG NODE=24$/m);
    expect(text).not.toContain('chmod 777');
  });

  it('runs the program that the package of the command line names', async () => {
    const { bin } = JSON.parse(await readFile(join(root, 'packages', 'cli', 'package.json'), 'utf8')) as {
      bin: { blockwork: string };
    };
    expect(text).toContain(`/app/node_modules/@blockwork/cli/${bin.blockwork.replace('./', '')}`);
  });
});

describe('the manifests of Kubernetes', async () => {
  interface Manifest {
    readonly kind: string;
    readonly spec: {
      readonly selector: { readonly matchLabels?: object };
      readonly podSelector: { readonly matchLabels: object };
      readonly ports: readonly { readonly targetPort: string }[];
      readonly template: { readonly metadata: { readonly labels: object }; readonly spec: Pod };
    };
  }
  interface Pod {
    readonly terminationGracePeriodSeconds: number;
    readonly containers: readonly {
      readonly ports: readonly { readonly name: string }[];
      readonly securityContext: object;
      readonly startupProbe: { readonly httpGet: { readonly port: string } };
      readonly livenessProbe: { readonly httpGet: { readonly port: string } };
      readonly readinessProbe: { readonly httpGet: { readonly port: string } };
    }[];
  }
  const [{ resources, configMapGenerator }] = (await yamlOf('kubernetes/kustomization.yaml')) as [
    { resources: string[]; configMapGenerator: { literals: string[] }[] },
  ];
  const manifests = (await Promise.all(resources.map((file) => yamlOf(`kubernetes/${file}`)))).flat() as Manifest[];
  const of = (kind: string): Manifest['spec'] => {
    const manifest = manifests.find((manifest) => manifest.kind === kind);
    if (manifest === undefined) throw new Error(`There is no ${kind}.`);
    return manifest.spec;
  };
  const { template } = of('Deployment');
  const [container] = template.spec.containers;

  it('are all named', () => {
    expect(named(/^kubernetes\//).map((file) => file.slice('kubernetes/'.length))).toEqual(
      [...resources, 'kustomization.yaml'].sort(),
    );
  });

  it('select the pods of the deployment, and their ports', () => {
    const { labels } = template.metadata;
    expect(of('Deployment').selector.matchLabels).toEqual(labels);
    expect(of('Service').selector).toEqual(labels);
    expect(of('PodDisruptionBudget').selector.matchLabels).toEqual(labels);
    expect(of('NetworkPolicy').podSelector.matchLabels).toEqual(labels);
    const ports = container?.ports.map(({ name }) => name);
    expect(ports).toContain(of('Service').ports[0]?.targetPort);
    const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe];
    for (const probe of probes) expect(ports).toContain(probe?.httpGet.port);
  });

  it('run without privileges, and give a node the time that it takes to leave', () => {
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const [, drain] = /^BLOCKWORK_DRAIN_MS=(\d+)$/m.exec(configMapGenerator[0]?.literals.join('\n') ?? '') ?? [];
    expect(template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(2 * Number(drain));
  });
});

describe('the composition', async () => {
  interface Service {
    readonly image: string;
    readonly read_only?: boolean;
    readonly networks: readonly string[];
    readonly ports?: readonly string[];
  }
  const [{ services }] = (await yamlOf('compose/compose.yaml')) as [{ services: Record<string, Service> }];

  it('publishes the balancer alone, and to this machine only', () => {
    const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['balancer', ['127.0.0.1:8080:8080']]]);
    expect(services['database']?.networks).toEqual(['inside']);
  });

  it('balances over the service of the nodes', async () => {
    expect(services).toHaveProperty('node');
    expect(await textOf('compose/haproxy.cfg')).toContain('server-template node 10 node:3000');
  });
});

const installed = (command: string): boolean => spawnSync(command, ['--version']).error === undefined;

/** Standard output, or why the tool refuses. */
function run(command: string, args: readonly string[], folder: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: join(deploy, folder), encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

describe('tools, where they are installed', () => {
  it.skipIf(!installed('promtool'))('promtool accepts the rules, and each alert fires when it is provoked', () => {
    run('promtool', ['check', 'rules', 'alerts.yaml'], 'monitoring');
    run('promtool', ['test', 'rules', 'alerts.test.yaml'], 'monitoring');
  });

  it.skipIf(!installed('haproxy'))('haproxy accepts its configuration', () => {
    run('haproxy', ['-c', '-f', 'haproxy.cfg'], 'compose');
  });

  it.skipIf(!installed('systemd-analyze'))('systemd finds the units sound and little exposed', () => {
    for (const file of named(/^systemd\/.*\.service$/)) {
      const report = run('systemd-analyze', ['security', '--offline=yes', '--threshold=20', `../${file}`], 'systemd');
      expect(report).toContain('OK');
    }
  });

  it.skipIf(!installed('kubectl'))('kubectl puts the manifests together', () => {
    const manifests = run('kubectl', ['kustomize', 'kubernetes'], '.');
    expect(manifests).toContain('image: registry.example.org/blockwork:');
  });
});
