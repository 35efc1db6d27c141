/** Finds the route of a request, through rou3. */
import { addRoute, createRouter, findRoute } from 'rou3';

export interface RouteMatch<Endpoint> {
  readonly endpoint: Endpoint;
  /** The undecoded path parameters. */
  readonly captures: Readonly<Record<string, string>>;
}

const none: Readonly<Record<string, string>> = {};

/** Paths are case-sensitive; one slash at the end is ignored. */
export class RouteTable<Endpoint> {
  readonly #router = createRouter<Endpoint>();
  readonly #methods = new Set<string>();

  /**
   * `path` has its parameters in braces: `/policies/{policyId}`. Those `withSlashes` match the rest of a path. `HEAD` is
   * answered as `GET`.
   */
  add(method: string, path: string, endpoint: Endpoint, withSlashes: ReadonlySet<string> = new Set()): void {
    for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      this.#methods.add(each);
      addRoute(
        this.#router,
        each,
        path.replace(/\{(\w+)\}/g, (_, name: string) => `${withSlashes.has(name) ? '**' : ''}:${name}`),
        endpoint,
      );
    }
  }

  find(method: string, path: string): RouteMatch<Endpoint> | undefined {
    const match = findRoute(this.#router, method, path);
    return match === undefined ? undefined : { endpoint: match.data, captures: match.params ?? none };
  }

  /** The methods of all routes with this path, sorted. */
  methodsAt(path: string): string[] {
    return [...this.#methods].filter((method) => findRoute(this.#router, method, path) !== undefined).sort();
  }
}
