/** Renders a page: Markdown as on GitHub, with highlighted code, anchors as there, and links that fit the site. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import diff from 'highlight.js/lib/languages/diff';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import MarkdownIt from 'markdown-it';
import { root } from '../run.mjs';
import { relativeTo } from './links.mjs';

for (const [name, language] of Object.entries({ bash, diff, http, ini, javascript, json, sql, typescript, yaml })) {
  hljs.registerLanguage(name, language);
}

const markdown = new MarkdownIt({ html: true, highlight });
const { escapeHtml } = markdown.utils;
// Wide ones scroll, also by the keyboard.
markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

/** `language`: the first word after the fence. */
function highlight(code, language) {
  const html = hljs.getLanguage(language) === undefined ? escapeHtml(code) : hljs.highlight(code, { language }).value;
  return `<pre tabindex="0"><code>${html}</code></pre>`;
}

/**
 * `title` as text, `html`, and `parts`: each heading with its level, anchor, and the text up to the next one.
 */
export function rendered(page, text, links) {
  const tokens = markdown.parse(text, {});
  const parts = [];
  const anchors = new Set();
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = textOf(tokens[at + 1]);
      const anchor = newAnchor(heading, anchors);
      token.attrSet('id', anchor);
      parts.push({ level: Number(token.tag.slice(1)), heading, anchor, text: '' });
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      const part = parts.at(-1);
      if (part !== undefined) part.text += ` ${textOf(token)}`;
    }
    if (token.type === 'html_block') token.content = withPlayground(page, withSizes(page, token.content, links));
    for (const child of token.children ?? []) {
      if (child.type === 'html_inline') child.content = withPlayground(page, child.content);
      relink(page, child, links);
    }
  }
  return {
    title: parts[0]?.heading ?? page,
    parts,
    anchors,
    html: markdown.renderer.render(tokens, markdown.options, {}),
  };
}

const textOf = ({ children }) =>
  (children ?? [])
    .map(({ type, content }) => (['text', 'code_inline'].includes(type) ? content : ' '))
    .join('')
    .trim();

/** As GitHub makes them. */
function newAnchor(heading, anchors) {
  const name = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  let anchor = name;
  for (let n = 1; anchors.has(anchor); n += 1) anchor = `${name}-${n}`;
  anchors.add(anchor);
  return anchor;
}

function relink(page, token, links) {
  for (const name of ['href', 'src']) {
    const link = token.attrGet(name);
    if (link !== null) token.attrSet(name, links.resolve(page, link));
  }
}

/** A comment such as `<!-- playground: sunlight -->` is a link here, to where the example runs. Other readers of the page see nothing. */
const withPlayground = (page, html) =>
  html.replaceAll(
    /<!-- playground: ([\w-]+) -->/g,
    (_, example) =>
      `<a class="playground" href="${relativeTo(page, 'playground/index.html')}#example=${example}">Open in the playground</a>`,
  );

/** Pictures have the size that they will have before they are there. */
const withSizes = (page, html, links) =>
  html.replaceAll(/(src|srcset)="([^"]+\.webp)"/g, (attribute, name, link) => {
    links.resolve(page, link);
    if (name === 'srcset') return attribute;
    const { width, height } = sizeOf(posix.join(posix.dirname(page), link));
    return `${attribute} width="${width}" height="${height}" loading="lazy"`;
  });

/** Of a picture in the WebP format, lossy or extended. */
function sizeOf(file) {
  const bytes = readFileSync(join(root, file));
  const format = bytes.toString('latin1', 12, 16);
  if (format === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (format === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}
