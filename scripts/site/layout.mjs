/** The HTML around a page: its head, the navigation, and the list of its headings. */
import { relativeTo } from './links.mjs';
import { API } from './navigation.mjs';
import { addressOf } from './pages.mjs';

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** `titleOf`: of each page of the navigation. */
export function layout({ page, title, html, parts }, navigation, titleOf) {
  const to = (address) => relativeTo(page, address);
  const link = (other) =>
    `<li><a href="${other === API ? to(API) : to(addressOf(other))}"${other === page ? ' aria-current="page"' : ''}>${escaped(titleOf(other))}</a></li>`;
  const sections = navigation.map(
    ({ title: name, pages }, at) =>
      `<details${pages.includes(page) || at === 0 ? ' open' : ''}><summary>${escaped(name)}</summary><ul>${pages.map(link).join('')}</ul></details>`,
  );
  const headings = parts.filter(({ level }) => level === 2);
  const contents = headings.map(({ anchor, heading }) => `<li><a href="#${anchor}">${escaped(heading)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page === 'README.md' ? 'Blockwork' : `${title} · Blockwork`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('style.css')}">
<script src="${to('site.js')}" data-root="${to('index.html').replace(/index\.html$/, '')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${to('index.html')}">Blockwork</a>
<search><input type="search" id="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off"></search>
<button type="button" id="menu" aria-expanded="false" aria-controls="navigation">Menu</button>
<button type="button" id="scheme">Dark or light</button>
</header>
<section id="results" aria-label="Search results" hidden></section>
<nav id="navigation" aria-label="Pages">${sections.join('\n')}</nav>
<main id="content" tabindex="-1">
${html}</main>
${contents.length > 1 ? `<aside aria-label="On this page"><ul>${contents.join('')}</ul></aside>` : ''}
</body>
</html>
`;
}
