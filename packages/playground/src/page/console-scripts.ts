/** Puts the console into the page: its scripts and styles as its own page names them. */

/** From the page of the console, by the build. */
interface ConsoleFiles {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

export async function showConsole(): Promise<void> {
  const { scripts, styles } = (await (await fetch('console.json')).json()) as ConsoleFiles;
  await Promise.all(styles.map((href) => added('link', { rel: 'stylesheet', href })));
  // They load at the same time, and run in the order of the page.
  await Promise.all(scripts.map((src) => added('script', { type: 'module', src, async: false })));
}

const added = (name: 'link' | 'script', members: Readonly<Record<string, string | boolean>>): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(name), members);
    element.addEventListener('load', resolve);
    element.addEventListener('error', () => {
      reject(new Error(`${String(members['src'] ?? members['href'])} cannot be loaded.`));
    });
    document.head.append(element);
  });
