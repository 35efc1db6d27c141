/** The tabs to open so that a given block is visible. */

type Config = Readonly<Record<string, unknown>>;

/** The open tabs of containers as in the URL: `<container>.tab` is the id of a child. */
export type OpenTabs = Readonly<Record<string, string>>;

/** The tabs on the way from the root to the block, outer ones first; `null` where the policy has no such block. */
export function tabsTo(config: Config, uuid: string): OpenTabs | null {
  if (config['id'] === uuid) return {};
  for (const child of childrenOf(config)) {
    const below = tabsTo(child, uuid);
    if (below !== null) return isTabbed(config) ? { [`${idOf(config)}.tab`]: idOf(child), ...below } : below;
  }
  return null;
}

const childrenOf = ({ children }: Config): readonly Config[] => (Array.isArray(children) ? (children as Config[]) : []);

const idOf = ({ id }: Config): string => String(id);

const isTabbed = ({ uiMetaData }: Config): boolean =>
  (uiMetaData as { readonly type?: unknown } | null | undefined)?.type === 'tabs';
