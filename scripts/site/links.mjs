/** Where the links of pages lead: to other pages, to files that the site has, too, or to the repository. */
import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../run.mjs';
import { addressOf } from './pages.mjs';

const REPOSITORY = 'https://github.com/blockwork/blockwork';
/** Files below `docs` that pages show or offer. */
const isAsset = (path) => /^docs\/.+\.(json|webp)$/.test(path);

export class Links {
  /** Files to copy into the site. */
  assets = new Set();
  /** Links that lead nowhere: the page and the link. */
  broken = [];
  #pages;
  /** Links to headings, to check once all pages are known. */
  #fragments = [];

  /** `pages`: files of the site. */
  constructor(pages) {
    this.#pages = new Set(pages);
  }

  /** What a link on the page becomes. */
  resolve(page, link) {
    if (/^[a-z]+:/.test(link)) return link;
    const [path, fragment] = link.split('#');
    const target = path === '' ? page : posix.join(posix.dirname(page), decodeURI(path)).replace(/\/$/, '');
    const file = [target, `${target}/README.md`].find((each) => this.#pages.has(each));
    if (file !== undefined) {
      if (fragment !== undefined) this.#fragments.push({ page, link, file, fragment });
      return relativeTo(page, addressOf(file)) + (fragment === undefined ? '' : `#${fragment}`);
    }
    if (!existsSync(join(root, target))) this.broken.push(`${page}: ${link}`);
    else if (isAsset(target)) this.assets.add(target);
    else return `${REPOSITORY}/${statSync(join(root, target)).isDirectory() ? 'tree' : 'blob'}/main/${target}`;
    return link;
  }

  /** `anchorsOf`: the anchors of a page. */
  checkFragments(anchorsOf) {
    for (const { page, link, file, fragment } of this.#fragments) {
      if (!anchorsOf(file).has(fragment)) this.broken.push(`${page}: ${link}`);
    }
  }
}

/** The address as it is reached from the page. */
export const relativeTo = (page, address) => posix.relative(posix.dirname(addressOf(page)), address) || address;
