/** Tests one block in isolation: `paginationAddon` on a grid with 23 documents. */
import { paginationAddon } from '@blockwork/core/block';
import { blockBench, documents, gridWith } from '@blockwork/testing';
import { expect, test } from 'vitest';

const pagination = () => blockBench(paginationAddon(), { parent: gridWith(documents(23)) });

test('a user begins on the first page of ten', async () => {
  const installer = pagination().as('Installer');

  expect(await installer.read()).toEqual({ size: 23, itemsPerPage: 10, page: 0 });
});

test('a user stays on the page that they turned to', async () => {
  const installer = pagination().as('Installer');

  await installer.send({ itemsPerPage: 5, page: 2 });

  expect(await installer.read()).toEqual({ size: 23, itemsPerPage: 5, page: 2 });
});

test('every user has a page of their own', async () => {
  const bench = pagination();

  await bench.as('Installer').send({ itemsPerPage: 5, page: 2 });

  expect(await bench.as('Verifier').read()).toEqual({ size: 23, itemsPerPage: 10, page: 0 });
});

test('what is no page is refused, and changes nothing', async () => {
  const installer = pagination().as('Installer');

  await expect(installer.send({ itemsPerPage: 0, page: -1 })).rejects.toMatchObject({ code: 'INPUT_INVALID' });

  expect(await installer.read()).toEqual({ size: 23, itemsPerPage: 10, page: 0 });
});
