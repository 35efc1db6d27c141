/** A registry of npm with the packed packages, on this machine. It sends whoever wants another package on to the usual registry. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { filesOf } from '../tarball.mjs';

const usual = process.env.npm_config_registry ?? 'https://registry.npmjs.org/';

/** @param tarballs paths of packed packages */
export async function openRegistry(tarballs) {
  const found = await Promise.all(tarballs.map(packed));
  const packages = new Map(found.map((each) => [each.manifest.name, each]));
  const server = createServer(({ url, headers }, response) => {
    const path = decodeURIComponent(url.slice(1));
    const named = packages.get(path);
    const tarball = found.find(({ file }) => path === `-/${file}`);
    if (named !== undefined) response.end(JSON.stringify(description(named, `http://${headers.host}`)));
    else if (tarball !== undefined) response.end(tarball.bytes);
    else response.writeHead(302, { location: new URL(url.slice(1), usual).href }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

async function packed(path) {
  const bytes = await readFile(path);
  const manifest = JSON.parse((await filesOf(path)).get('package.json'));
  return {
    manifest,
    bytes,
    file: basename(path),
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
  };
}

function description({ manifest, file, integrity }, origin) {
  const { name, version } = manifest;
  const dist = { tarball: `${origin}/-/${file}`, integrity };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
