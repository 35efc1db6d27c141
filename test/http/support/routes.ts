/** The routes that need a caller, and how their paths are filled in. */
import { contract, routeGroups } from '@blockwork/contract';
import type { Route, RouteName } from '@blockwork/contract';

export type EngineRouteName = Exclude<RouteName, keyof typeof routeGroups.Service>;

export const routes = Object.entries(contract).filter(([name]) => !(name in routeGroups.Service)) as [
  EngineRouteName,
  Route,
][];

/** The path of the route with its parameters escaped, below the prefix. */
export const pathOf = (route: Route, params: Readonly<Record<string, string>>): string =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
